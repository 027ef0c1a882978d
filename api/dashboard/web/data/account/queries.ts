import { queryOptions } from '@tanstack/react-query';
import type { Answer } from '../../../../http-client/client.ts';
import { type Api, dataOf } from '../http/api.ts';

export type Me = Answer<'/api/v1/account/me', 'get'>['data'];

export const meKey = ['me'] as const;

/** The logged-in user. Fails with 401 without a session. */
export const meQuery = (api: Api) =>
  queryOptions({
    queryKey: meKey,
    queryFn: () => dataOf(api.GET('/api/v1/account/me')),
    staleTime: 5 * 60_000,
  });
