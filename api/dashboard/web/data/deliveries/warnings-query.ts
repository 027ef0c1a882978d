import { queryOptions } from '@tanstack/react-query';
import type { Body } from '../../../../http-client/client.ts';
import { type Api, dataOf } from '../http/api.ts';
import { deliveriesKey } from './queries.ts';

const path = '/api/v1/client/apps/{identifier}/deliveries/warnings';

export type NotificationToCheck = Body<typeof path, 'post'>;

/** What to know before sending. It is advice: where it cannot be had, nothing is said. */
export const warningsQuery = (api: Api, app: string, notification: NotificationToCheck) =>
  queryOptions({
    queryKey: [...deliveriesKey(app), 'warnings', notification],
    queryFn: ({ signal }) =>
      dataOf(api.POST(path, { params: { path: { identifier: app } }, body: notification, signal })),
    enabled: Object.keys(notification).length > 0,
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
  });

export type NotificationWarning = Awaited<
  ReturnType<NonNullable<ReturnType<typeof warningsQuery>['queryFn']>>
>[number];
