import { useSuspenseQuery } from '@tanstack/react-query';
import { useApi } from '../http/services.tsx';
import { type Me, meQuery } from './queries.ts';

/** The logged-in user; for pages behind the log-in. */
export const useMe = (): Me => useSuspenseQuery(meQuery(useApi())).data;

export const ranks = { guest: 1, reader: 2, member: 3, admin: 4, 'super-admin': 5 } as const;

/** Whether the logged-in user has at least this role. The API decides; pages only hide what it would refuse. */
export const useHasRole = (role: keyof typeof ranks): boolean => ranks[useMe().user.role] >= ranks[role];
