import type { AppId } from '../../engine/contract/ids.ts';
import type { Ability, Role } from './abilities.ts';

/**
 * What somebody may do on an app: the higher one of what their role in the organization gives on every app, and of what
 * a grant gives on this one. A grant raises and never lowers; without either, the app does not exist for them.
 */
export const grantedRoles = ['admin', 'approver', 'author', 'reader'] as const;
export type GrantedRole = (typeof grantedRoles)[number];
/** A member's is the organization's alone: an approver who also sets the app up. */
export type AppRole = GrantedRole | 'member';

/** By the app. */
export type Grants = ReadonlyMap<AppId, GrantedRole>;

const ranks: Readonly<Record<AppRole, number>> = { reader: 1, author: 2, approver: 3, member: 4, admin: 5 };
/** 0: none. */
export const appRankOf = (role: AppRole | null): number => (role === null ? 0 : ranks[role]);

const bases: Readonly<Record<Role, AppRole | null>> = {
  'super-admin': 'admin',
  admin: 'admin',
  member: 'member',
  reader: 'reader',
  guest: null,
};
/** On every app of the organization; null: on none. */
export const baseOf = (role: Role): AppRole | null => bases[role];

const reads = ['apps:read', 'subscriptions:read', 'deliveries:read', 'analytics:read'] as const;
const abilitiesOf: Readonly<Record<AppRole, readonly Ability[]>> = {
  reader: reads,
  author: [...reads, 'deliveries:write'],
  approver: [...reads, 'deliveries:write', 'subscriptions:write'],
  member: [...reads, 'deliveries:write', 'subscriptions:write', 'apps:write'],
  admin: [...reads, 'deliveries:write', 'subscriptions:write', 'apps:write'],
};
export const abilitiesAs = (role: AppRole | null): readonly Ability[] =>
  role === null ? [] : abilitiesOf[role];

interface Person {
  readonly role: Role;
  readonly grants: Grants;
}

/** On the app; null: none, and for them it does not exist. */
export const roleAt = ({ role, grants }: Person, appId: AppId): AppRole | null =>
  higher(baseOf(role), grants.get(appId) ?? null);

/** Where they have most. */
export const highestOf = ({ role, grants }: Person): AppRole | null =>
  [...grants.values()].reduce(higher, baseOf(role));

/**
 * Says which abilities of a new token count nowhere, for its owner has them on none of its apps; null: all count.
 * @param appIds those that the token is limited to; null: every one.
 */
export function noteOnAbilities(
  person: Person,
  abilities: readonly Ability[],
  appIds: readonly AppId[] | null,
): string | null {
  const role =
    appIds === null ? highestOf(person) : appIds.map((id) => roleAt(person, id)).reduce(higher, null);
  const beyond = abilities.filter((ability) => !abilitiesAs(role).includes(ability));
  if (beyond.length === 0) return null;
  const whose = role === null ? 'Without a role on an app, its user' : `By the role ${role}, its user`;
  return `${whose} does not have ${beyond.join(', ')}: requests that need it are answered 403 until an admin raises the role.`;
}

const higher = (one: AppRole | null, other: AppRole | null): AppRole | null =>
  appRankOf(other) > appRankOf(one) ? other : one;
