import { queryOptions } from '@tanstack/react-query';
import { type Api, bodyOf, dataOf } from '../http/api.ts';
import { type Segment, segmentsKey } from './queries.ts';

/** Most segments to choose among; the newest first. */
const MOST_SEGMENTS = 100;
const COUNT_AGAIN_MS = 60_000;

export const segmentChoicesQuery = (api: Api, app: string) =>
  queryOptions({
    queryKey: [...segmentsKey(app), 'choices'],
    queryFn: () =>
      bodyOf(
        api.GET('/api/v1/client/apps/{identifier}/segments', {
          params: { path: { identifier: app }, query: { per_page: MOST_SEGMENTS } },
        }),
      ),
  });

/** How many a delivery would go to now. Rules undefined: all; null: they are not known yet. */
export const audienceQuery = (
  api: Api,
  app: string,
  rules: Segment['rules'] | undefined | null,
  category: number | null,
) =>
  queryOptions({
    queryKey: ['audience', app, 'delivery', rules, category],
    enabled: rules !== null,
    refetchInterval: COUNT_AGAIN_MS,
    queryFn: ({ signal }) =>
      dataOf(
        api.POST('/api/v1/client/apps/{identifier}/segments/preview', {
          params: { path: { identifier: app } },
          body: {
            ...(rules === null || rules === undefined ? {} : { rules }),
            ...(category === null ? {} : { delivery_category_id: category }),
          },
          signal,
        }),
      ),
  });
