import { queryOptions } from '@tanstack/react-query';
import type { Answer } from '../../../../http-client/client.ts';
import { type Api, bodyOf } from '../http/api.ts';

export type Category = Answer<'/api/v1/client/apps/{identifier}/delivery-categories', 'get'>['data'][number];

export const categoriesKey = (identifier: string) => ['categories', identifier] as const;

/** Also for pages that let the user choose one. */
export const categoriesQuery = (api: Api, identifier: string, page = 1, perPage = 100) =>
  queryOptions({
    queryKey: [...categoriesKey(identifier), page, perPage],
    queryFn: () =>
      bodyOf(
        api.GET('/api/v1/client/apps/{identifier}/delivery-categories', {
          params: { path: { identifier }, query: { page, per_page: perPage } },
        }),
      ),
  });
