import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import type { Answer } from '../../../../http-client/client.ts';
import { deliveriesKey } from '../deliveries/queries.ts';
import { type Api, dataOf } from '../http/api.ts';
import { NEW_ENTRIES_EVERY_MS } from '../http/read-again.ts';

export type Calendar = Answer<'/api/v1/client/apps/{identifier}/calendar', 'get'>['data'];
export type Entry = Calendar['entries'][number];

/** @param until the first moment after it. */
export const calendarQuery = (api: Api, app: string, from: Date, until: Date) =>
  queryOptions({
    // Below that of deliveries: what changes one of them changes this.
    queryKey: [...deliveriesKey(app), 'calendar', from.toISOString(), until.toISOString()],
    queryFn: () =>
      dataOf(
        api.GET('/api/v1/client/apps/{identifier}/calendar', {
          params: {
            path: { identifier: app },
            query: { from: from.toISOString(), until: new Date(until.getTime() - 1).toISOString() },
          },
        }),
      ),
    placeholderData: keepPreviousData,
    refetchInterval: NEW_ENTRIES_EVERY_MS,
  });
