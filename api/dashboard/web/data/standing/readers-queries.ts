import { queryOptions } from '@tanstack/react-query';
import type { Answer } from '../../../../http-client/client.ts';
import { type Api, dataOf } from '../http/api.ts';
import type { Segment } from '../segments/queries.ts';

const below = '/api/v1/client/apps/{identifier}/standing';
export type StandingOfReaders = Answer<`${typeof below}/readers`, 'get'>['data'];
export type NearLimit = Answer<`${typeof below}/near-limit`, 'post'>['data'];

export const standingOfReadersQuery = (api: Api, app: string) =>
  queryOptions({
    queryKey: ['standing', app, 'readers'],
    queryFn: () => dataOf(api.GET(`${below}/readers`, { params: { path: { identifier: app } } })),
  });

/** As the count of an audience: rules undefined are all readers, null ones are not known yet. */
export const nearLimitQuery = (
  api: Api,
  app: string,
  rules: Segment['rules'] | undefined | null,
  category: number | null,
) =>
  queryOptions({
    queryKey: ['standing', app, 'near-limit', rules, category],
    enabled: rules !== null,
    retry: false,
    queryFn: ({ signal }) =>
      dataOf(
        api.POST(`${below}/near-limit`, {
          params: { path: { identifier: app } },
          body: {
            ...(rules === null || rules === undefined ? {} : { rules }),
            ...(category === null ? {} : { delivery_category_id: category }),
          },
          signal,
        }),
      ),
  });
