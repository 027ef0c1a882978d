import { useSuspenseQuery } from '@tanstack/react-query';
import { useApi } from '../http/services.tsx';
import { type Me, meQuery } from './queries.ts';

/** Who is logged in; for pages behind the log-in. */
export const useMe = (): Me => useSuspenseQuery(meQuery(useApi())).data;

const ranks = { member: 1, admin: 2, 'super-admin': 3 } as const;

/** Whether whoever is logged in has at least this role. The API decides; pages only leave out what it would refuse. */
export const useHasRole = (role: keyof typeof ranks): boolean => ranks[useMe().user.role] >= ranks[role];
