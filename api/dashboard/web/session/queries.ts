import { queryOptions } from '@tanstack/react-query';
import type { Answer } from '../../../http-client/client.ts';
import { type Api, dataOf } from '../http/api.ts';

export type Me = Answer<'/api/v1/account/me', 'get'>['data'];

export const meKey = ['me'] as const;

/** Who is logged in. Fails with 401 where nobody is. */
export const meQuery = (api: Api) =>
  queryOptions({
    queryKey: meKey,
    queryFn: () => dataOf(api.GET('/api/v1/account/me')),
    staleTime: 5 * 60_000,
  });
