import type { OrganizationId } from '../../../../engine/contract/ids.ts';
import type { ProviderConfig } from '../../../settings/provider.ts';

/** An OpenID provider by which people log in. */
export interface Provider {
  /** Null: that of the installation, from the settings. */
  readonly id: number | null;
  /** Whose users it may log in; null: those of every organization. */
  readonly organizationId: OrganizationId | null;
  /** By which the log-in page names it. */
  readonly key: string;
  readonly name: string;
  readonly issuer: string;
  readonly clientId: string;
  readonly clientSecret: string;
  /** Where unknown people become users; null: nowhere. */
  readonly makesUsersIn: { readonly name: string } | { readonly id: OrganizationId } | null;
  /** Of the addresses of which it may make users, in lower case. */
  readonly emailDomains: readonly string[];
  readonly groups: GroupRule;
}

export interface GroupRule {
  readonly claim: string;
  readonly admin: readonly string[];
  readonly member: readonly string[];
}

/** No key of an organization's provider has this length. */
export const INSTALLATION_KEY = 'installation';

/** Null where the settings name none. */
export function installationProvider(config: Partial<ProviderConfig>): Provider | null {
  const { oidcIssuer, oidcClientId, oidcClientSecret, oidcNewUsersIn } = config;
  if (!oidcIssuer || !oidcClientId || !oidcClientSecret) return null;
  return {
    id: null,
    organizationId: null,
    key: INSTALLATION_KEY,
    name: config.oidcName ?? 'OpenID',
    issuer: oidcIssuer,
    clientId: oidcClientId,
    clientSecret: oidcClientSecret,
    makesUsersIn: oidcNewUsersIn ? { name: oidcNewUsersIn } : null,
    emailDomains: (config.oidcEmailDomains ?? []).map((domain) => domain.toLowerCase()),
    groups: {
      claim: config.oidcGroupsClaim ?? 'groups',
      admin: config.oidcAdminGroups ?? [],
      member: config.oidcMemberGroups ?? [],
    },
  };
}

/** The part after the @, in lower case. */
export const domainOf = (email: string): string =>
  email
    .slice(email.lastIndexOf('@') + 1)
    .trim()
    .toLowerCase();
