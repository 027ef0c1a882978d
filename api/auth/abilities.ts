/** The abilities of a token (specification, Authentication). */
export const abilities = [
  'apps:read',
  'apps:write',
  'subscriptions:read',
  'subscriptions:write',
  'deliveries:read',
  'deliveries:write',
  'analytics:read',
] as const;
export type Ability = (typeof abilities)[number];

/** In the organization. A reader changes nothing; a guest sees only the apps that a grant names. */
export const roles = ['super-admin', 'admin', 'member', 'reader', 'guest'] as const;
export type Role = (typeof roles)[number];

export const isAbility = (text: string): text is Ability => abilities.some((ability) => ability === text);

/** Roles are ordered: each may do everything that the lower ones may. */
export const rankOf = (role: Role): number => roles.length - roles.indexOf(role);
