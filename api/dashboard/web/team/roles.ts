import { useHasRole } from '../data/account/use-me.ts';
import type { Role } from '../data/organization/queries.ts';

const all = ['guest', 'reader', 'member', 'admin', 'super-admin'] as const;

/** Not above your own. */
export const useRolesToGive = (): readonly Role[] => (useHasRole('super-admin') ? all : all.slice(0, 4));
