import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import type { Answer, Body } from '../../../../http-client/client.ts';
import { type Api, bodyOf, dataOf } from '../http/api.ts';
import type { Rules } from './draft.ts';

export type Segment = Answer<'/api/v1/client/apps/{identifier}/segments/{segment_id}', 'get'>['data'];
export type SegmentBody = Body<'/api/v1/client/apps/{identifier}/segments', 'post'>;

const PER_PAGE = 25;
/** Most categories, and deliveries, that a rule's list shows. */
const MOST_CHOICES = 100;

/** The key of all that is known of an app's segments. */
export const segmentsKey = (app: string) => ['segments', app] as const;

export const segmentsQuery = (api: Api, app: string, page: number) =>
  queryOptions({
    queryKey: [...segmentsKey(app), 'list', page],
    queryFn: () =>
      bodyOf(
        api.GET('/api/v1/client/apps/{identifier}/segments', {
          params: { path: { identifier: app }, query: { page, per_page: PER_PAGE } },
        }),
      ),
    placeholderData: keepPreviousData,
  });

export const segmentQuery = (api: Api, app: string, id: string) =>
  queryOptions({
    queryKey: [...segmentsKey(app), 'one', id],
    queryFn: () =>
      dataOf(
        api.GET('/api/v1/client/apps/{identifier}/segments/{segment_id}', {
          params: { path: { identifier: app, segment_id: id } },
        }),
      ),
  });

/** How many subscribers a rule reaches now; null asks for nothing. */
export const countQuery = (api: Api, app: string, rules: Rules | null) =>
  queryOptions({
    queryKey: ['audience', app, rules],
    enabled: rules !== null,
    queryFn: ({ signal }) =>
      dataOf(
        api.POST('/api/v1/client/apps/{identifier}/segments/preview', {
          params: { path: { identifier: app } },
          body: rules === null ? {} : { rules },
          signal,
        }),
      ),
  });

/** The delivery categories that a rule can ask for. */
export const ruleCategoriesQuery = (api: Api, app: string) =>
  queryOptions({
    queryKey: ['categories', app, 'for rules'],
    queryFn: () =>
      dataOf(
        api.GET('/api/v1/client/apps/{identifier}/delivery-categories', {
          params: { path: { identifier: app }, query: { per_page: MOST_CHOICES } },
        }),
      ),
  });

/** The newest deliveries, which a rule can refer to. */
export const ruleDeliveriesQuery = (api: Api, app: string) =>
  queryOptions({
    queryKey: ['deliveries', app, 'for rules'],
    queryFn: () =>
      dataOf(
        api.GET('/api/v1/client/apps/{identifier}/deliveries', {
          params: { path: { identifier: app }, query: { per_page: MOST_CHOICES } },
        }),
      ),
  });
