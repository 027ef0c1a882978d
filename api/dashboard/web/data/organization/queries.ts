import { queryOptions } from '@tanstack/react-query';
import type { Answer } from '../../../../http-client/client.ts';
import { type Api, bodyOf, dataOf } from '../http/api.ts';
import type { AuditSearch } from './search.ts';

export type Token = Answer<'/api/v1/account/tokens', 'get'>['data'][number];
export type NewToken = Answer<'/api/v1/account/tokens', 'post', 201>['data'];
export type Ability = Token['abilities'][number];
export type User = Answer<'/api/v1/account/users', 'get'>['data'][number];
export type Role = User['role'];
export type Grant = User['grants'][number];
export type Invitation = Answer<'/api/v1/account/invitations', 'get'>['data'][number];
export type NewInvitation = Answer<'/api/v1/account/invitations', 'post', 201>['data'];
export type Organization = Answer<'/api/v1/account/organizations', 'get'>['data'][number];
export type Breaking = Answer<'/api/v1/account/breaking', 'get'>['data'];
export type AuditEntry = Answer<'/api/v1/account/audit-log', 'get'>['data'][number];

const PER_PAGE = 25;
/** An organization's admins know each other: more than these are on further pages of nothing yet. */
const MOST = 100;

export type Session = Answer<'/api/v1/account/sessions', 'get'>['data'][number];
export const sessionsKey = ['sessions'] as const;
export const sessionsQuery = (api: Api) =>
  queryOptions({ queryKey: sessionsKey, queryFn: () => dataOf(api.GET('/api/v1/account/sessions')) });

export const tokensKey = ['tokens'] as const;
export const tokensQuery = (api: Api, page: number) =>
  queryOptions({
    queryKey: [...tokensKey, page],
    queryFn: () =>
      bodyOf(api.GET('/api/v1/account/tokens', { params: { query: { page, per_page: PER_PAGE } } })),
  });

export type ReportToken = Answer<'/api/v1/account/report-tokens', 'get'>['data'][number];
export const reportTokensKey = ['report-tokens'] as const;
export const reportTokensQuery = (api: Api) =>
  queryOptions({
    queryKey: reportTokensKey,
    queryFn: () => dataOf(api.GET('/api/v1/account/report-tokens')),
  });
export const reportDomainsQuery = (api: Api) =>
  queryOptions({
    queryKey: ['report-domains'],
    queryFn: () => dataOf(api.GET('/api/v1/account/report-tokens/domains')),
  });

/** Query parameters of another organization, where one is chosen. */
export const inOrganization = (id: number | undefined) => (id === undefined ? {} : { organization_id: id });

export const usersKey = ['users'] as const;
export const usersQuery = (api: Api, organization: number | undefined, page: number) =>
  queryOptions({
    queryKey: [...usersKey, organization, page],
    queryFn: () =>
      bodyOf(
        api.GET('/api/v1/account/users', {
          params: { query: { page, per_page: PER_PAGE, ...inOrganization(organization) } },
        }),
      ),
  });

export const invitationsKey = ['invitations'] as const;
export const invitationsQuery = (api: Api, organization: number | undefined) =>
  queryOptions({
    queryKey: [...invitationsKey, organization],
    queryFn: () =>
      bodyOf(
        api.GET('/api/v1/account/invitations', {
          params: { query: { per_page: MOST, ...inOrganization(organization) } },
        }),
      ),
  });

export const breakingKey = ['breaking'] as const;
/** @param asked a day as `2026-01-31`, today when left out. */
export const breakingQuery = (
  api: Api,
  { day, organization }: { readonly day?: string | undefined; readonly organization?: number | undefined },
) => {
  const query = { ...(day === undefined ? {} : { day }), ...inOrganization(organization) };
  return queryOptions({
    queryKey: [...breakingKey, query],
    queryFn: () => dataOf(api.GET('/api/v1/account/breaking', { params: { query } })),
  });
};

export const organizationsKey = ['organizations'] as const;
export const organizationsQuery = (api: Api, page = 1, perPage = MOST) =>
  queryOptions({
    queryKey: [...organizationsKey, page, perPage],
    queryFn: () =>
      bodyOf(api.GET('/api/v1/account/organizations', { params: { query: { page, per_page: perPage } } })),
  });

export const auditQuery = (api: Api, { page = 1, organization, action, since, until }: AuditSearch) => {
  const query = {
    page,
    per_page: PER_PAGE,
    ...inOrganization(organization),
    ...(action === undefined ? {} : { action: action as AuditEntry['action'] }),
    ...(since === undefined ? {} : { since }),
    ...(until === undefined ? {} : { until }),
  };
  return queryOptions({
    queryKey: ['audit-log', query],
    queryFn: () => bodyOf(api.GET('/api/v1/account/audit-log', { params: { query } })),
  });
};
