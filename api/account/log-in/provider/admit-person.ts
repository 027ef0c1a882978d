import type { Sql } from '../../../../engine/adapters/postgres/sql.ts';
import type { OrganizationId } from '../../../../engine/contract/ids.ts';
import { type Role, rankOf } from '../../../auth/abilities.ts';
import { noteChange } from '../../../auth/audit.ts';
import { isEmail } from '../../fields.ts';
import { dropInvitationsBy } from '../../organization/invitations/store.ts';
import { findOrganizationNamed } from '../../organization/organizations/store.ts';
import { updateRole } from '../../organization/users/store.ts';
import { confirmAddress, releaseAddress } from '../../reclaim-address.ts';
import { sessionActor } from '../password/log-in.ts';
import {
  findByEmail,
  findByIdentity,
  hasOtherAdmin,
  insertIdentity,
  insertProvided,
  type ProviderUser,
} from './log-in-store.ts';
import type { ProvidedPerson } from './openid.ts';
import { domainOf, type GroupRule, type Provider } from './provider.ts';

/** Why a person whom the provider knows does not get in. */
export type Refusal =
  | 'no-email'
  | 'unverified'
  /** No user here, or one of another organization, or an operator: one answer for all, or it would reveal them. */
  | 'unknown'
  | 'no-group'
  /** The account belongs to another person of the provider, who had the address before. */
  | 'linked';

export type Admitted =
  | { readonly kind: 'user'; readonly user: ProviderUser }
  | { readonly kind: 'refused'; readonly why: Refusal };

interface Entry {
  readonly provider: Provider;
  readonly person: ProvidedPerson;
  readonly requestId: string;
}

const refuse = (why: Refusal): Admitted => ({ kind: 'refused', why });

/**
 * The user whom this person is; made, linked and given their role where the rules allow. Under `lockUsers`.
 *
 * Whoever sets a provider decides whom it vouches for. So that of an organization opens accounts of this organization
 * alone, and never an operator's, whatever it claims; it links an account once, by an address that it calls verified,
 * and then knows the person by their subject.
 */
export async function admitPerson(sql: Sql, entry: Entry): Promise<Admitted> {
  const { provider, person } = entry;
  const role = roleOf(provider.groups, person.groups);
  const known = await findByIdentity(sql, provider, person.subject);
  if (known !== null) {
    if (!mayLogIn(provider, known)) return refuse('unknown');
    return role === 'none' ? refuse('no-group') : withRole(sql, entry, known, role);
  }
  const { email } = person;
  if (email === null || !isEmail(email)) return refuse('no-email');
  if (!person.isVerified) return refuse('unverified');
  const existing = await (role === 'none' ? findByEmail(sql, email) : findToAdmit(sql, provider, email));
  if (existing !== null && !mayLogIn(provider, existing)) return refuse('unknown');
  const organizationId = existing === null ? await makesIn(sql, provider, email) : null;
  if (existing === null && organizationId === null) return refuse('unknown');
  if (role === 'none') return refuse('no-group');
  if (existing !== null && mayConfirm(provider, email)) await confirmAddress(sql, existing.id);
  const user = existing ?? (await make(sql, entry, { email, organizationId, role: role ?? 'member' }));
  if (user === null) return refuse('unknown');
  if (!(await insertIdentity(sql, provider, user.id, person.subject))) return refuse('linked');
  const detail = { provider: provider.name, issuer: provider.issuer };
  const actor = sessionActor(user, entry.requestId);
  await noteChange(sql, actor, { action: 'user.provider-linked', subjectId: user.id, detail });
  return withRole(sql, entry, user, role);
}

/** Any admin may claim any address: a super-admin named the settings and the domains. */
const mayConfirm = ({ organizationId, emailDomains }: Provider, email: string): boolean =>
  organizationId === null || emailDomains.includes(domainOf(email));

/** An account elsewhere that nobody confirmed gives way to the owner of the address, where they may become a user. */
async function findToAdmit(sql: Sql, provider: Provider, email: string): Promise<ProviderUser | null> {
  const { organizationId } = provider;
  const existing = await findByEmail(sql, email);
  if (existing === null || organizationId === null || mayLogIn(provider, existing)) return existing;
  if ((await makesIn(sql, provider, email)) === null) return existing;
  await releaseAddress(sql, email, organizationId);
  return findByEmail(sql, email);
}

function mayLogIn({ organizationId }: Provider, user: ProviderUser): boolean {
  return organizationId === null || (user.organizationId === organizationId && user.role !== 'super-admin');
}

/** Null where it may not: an address of elsewhere would be taken from those who own it. */
async function makesIn(
  sql: Sql,
  { makesUsersIn, emailDomains }: Provider,
  email: string,
): Promise<OrganizationId | null> {
  if (makesUsersIn === null || !emailDomains.includes(domainOf(email))) return null;
  return 'id' in makesUsersIn ? makesUsersIn.id : findOrganizationNamed(sql, makesUsersIn.name);
}

async function make(
  sql: Sql,
  { person, provider, requestId }: Entry,
  wanted: { readonly email: string; readonly organizationId: OrganizationId | null; readonly role: Role },
): Promise<ProviderUser | null> {
  const { email, organizationId, role } = wanted;
  if (organizationId === null) return null;
  const user = await insertProvided(sql, organizationId, { email, role, name: person.name ?? email });
  if (user === null) return null;
  const detail = { email, role, provider: provider.name };
  const actor = sessionActor(user, requestId);
  await noteChange(sql, actor, { action: 'user.created', subjectId: user.id, detail });
  return user;
}

/** Null: groups say nothing about roles. `none`: the person is in no group that gets in. No group makes operators. */
export function roleOf(rule: GroupRule, groups: readonly string[]): 'admin' | 'member' | 'none' | null {
  if (rule.admin.length === 0 && rule.member.length === 0) return null;
  if (rule.admin.some((group) => groups.includes(group))) return 'admin';
  return rule.member.length === 0 || rule.member.some((group) => groups.includes(group)) ? 'member' : 'none';
}

async function withRole(
  sql: Sql,
  { provider, requestId }: Entry,
  user: ProviderUser,
  role: 'admin' | 'member' | null,
): Promise<Admitted> {
  if (role === null || role === user.role || user.role === 'super-admin') return { kind: 'user', user };
  const falls = rankOf(role) < rankOf(user.role);
  // As on the team page: an organization keeps somebody who manages it.
  if (falls && !(await hasOtherAdmin(sql, user))) return { kind: 'user', user };
  await updateRole(sql, user.id, role);
  if (falls) await dropInvitationsBy(sql, user.id);
  const detail = { email: user.email, from: user.role, to: role, provider: provider.name };
  const actor = sessionActor(user, requestId);
  await noteChange(sql, actor, { action: 'user.role-changed', subjectId: user.id, detail });
  return { kind: 'user', user: { ...user, role } };
}
