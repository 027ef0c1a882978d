import { queryOptions } from '@tanstack/react-query';
import type { Answer } from '../../../../http-client/client.ts';
import { type Api, dataOf } from '../http/api.ts';

const below = '/api/v1/client/apps/{identifier}/standing';
export type Standing = Answer<typeof below, 'get'>['data'];
export type Limit = NonNullable<Standing['push_services'][number]['limit']>;

const AGAIN_MS = 60_000;

export const standingQuery = (api: Api, app: string) =>
  queryOptions({
    queryKey: ['standing', app],
    queryFn: () => dataOf(api.GET(below, { params: { path: { identifier: app } } })),
    refetchInterval: AGAIN_MS,
  });

export const limitsOf = (standing: Standing | undefined): Limit[] =>
  standing?.push_services.flatMap(({ limit }) => (limit === null ? [] : [limit])) ?? [];
