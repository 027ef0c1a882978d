import { queryOptions } from '@tanstack/react-query';
import { type Api, dataOf } from '../../http/api.ts';
import { inOrganization } from '../../organization/queries.ts';

export const factorRuleKey = ['second-factor-rule'] as const;
export const factorRuleQuery = (api: Api, organization: number | undefined) =>
  queryOptions({
    queryKey: [...factorRuleKey, organization],
    queryFn: () =>
      dataOf(api.GET('/api/v1/account/second-factor', { params: { query: inOrganization(organization) } })),
  });
