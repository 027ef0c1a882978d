import { list, optionalText, text, type Values } from '../../engine/contract/settings/settings.ts';

/** The OpenID provider of the whole installation, and which providers may be in a private network. */
export const providerSettings = {
  oidcIssuer: optionalText(
    'OIDC_ISSUER',
    'Issuer of the OpenID provider by which users of all organizations may log in; without it, organizations have only their own.',
    { pattern: '^https?://[^\\s?#]+$', shape: 'a URL such as https://login.example.com' },
  ),
  oidcName: text('OIDC_NAME', 'How the log-in page names this provider.', { default: 'OpenID' }),
  oidcClientId: optionalText('OIDC_CLIENT_ID', 'The id by which the provider knows Broadside.'),
  oidcClientSecret: optionalText('OIDC_CLIENT_SECRET', 'The secret that belongs to this id.', {
    secret: true,
  }),
  oidcNewUsersIn: optionalText(
    'OIDC_NEW_USERS_IN',
    'Name of the organization that unknown people of OIDC_EMAIL_DOMAINS join at their first log-in; without it they are refused.',
  ),
  oidcEmailDomains: list(
    'OIDC_EMAIL_DOMAINS',
    'Domains of the e-mail addresses of which this provider may make users, separated by commas.',
    [],
  ),
  oidcGroupsClaim: text('OIDC_GROUPS_CLAIM', 'The claim that names a person’s groups.', {
    default: 'groups',
  }),
  oidcAdminGroups: list('OIDC_ADMIN_GROUPS', 'Groups whose people are admins, separated by commas.', []),
  oidcMemberGroups: list(
    'OIDC_MEMBER_GROUPS',
    'Groups whose people are members, separated by commas; others are refused. Without these and the admins’ groups, roles stay as they are.',
    [],
  ),
  oidcPrivateHosts: list(
    'OIDC_PRIVATE_HOSTS',
    'Hosts of providers (with their port, if it is not 443) that may have private addresses and plain http, separated by commas. Any organization may then name them.',
    [],
  ),
} as const;

export type ProviderConfig = Values<typeof providerSettings>;

export function providerContradictions(values: Partial<ProviderConfig>): string[] {
  const { oidcIssuer, oidcClientId, oidcClientSecret, oidcNewUsersIn, oidcEmailDomains = [] } = values;
  const lines: string[] = [];
  if (oidcIssuer && !oidcClientId) lines.push('OIDC_CLIENT_ID is missing, and OIDC_ISSUER is set');
  if (oidcIssuer && !oidcClientSecret) lines.push('OIDC_CLIENT_SECRET is missing, and OIDC_ISSUER is set');
  if (oidcNewUsersIn && oidcEmailDomains.length === 0)
    lines.push(
      'OIDC_EMAIL_DOMAINS is empty, and OIDC_NEW_USERS_IN is set: anybody whom the provider knows would get an account',
    );
  return lines;
}
