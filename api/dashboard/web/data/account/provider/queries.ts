import { queryOptions } from '@tanstack/react-query';
import type { Answer } from '../../../../../http-client/client.ts';
import { type Api, dataOf } from '../../http/api.ts';
import { inOrganization } from '../../organization/queries.ts';

export type ProviderPage = Answer<'/api/v1/account/provider', 'get'>['data'];
export type Provider = NonNullable<ProviderPage['provider']>;
export type Fault = Answer<'/api/v1/account/provider/try', 'post'>['data']['faults'][number];

export const providerKey = ['provider'] as const;
export const providerQuery = (api: Api, organization: number | undefined) =>
  queryOptions({
    queryKey: [...providerKey, organization],
    queryFn: () =>
      dataOf(api.GET('/api/v1/account/provider', { params: { query: inOrganization(organization) } })),
  });
