import { queryOptions } from '@tanstack/react-query';
import type { Answer } from '../../../../http-client/client.ts';
import { type Api, bodyOf, dataOf } from '../http/api.ts';

export type App = Answer<'/api/v1/client/apps/{identifier}', 'get'>['data'];

export const appsKey = ['apps'] as const;
/** Most that the app switcher shows; the list has pages. */
const SWITCHER_APPS = 100;

export const appsQuery = (api: Api, page = 1, perPage = SWITCHER_APPS) =>
  queryOptions({
    queryKey: [...appsKey, 'list', page, perPage],
    queryFn: () => bodyOf(api.GET('/api/v1/client/apps', { params: { query: { page, per_page: perPage } } })),
  });

export const appQuery = (api: Api, identifier: string) =>
  queryOptions({
    queryKey: [...appsKey, 'one', identifier],
    queryFn: () => dataOf(api.GET('/api/v1/client/apps/{identifier}', { params: { path: { identifier } } })),
  });
