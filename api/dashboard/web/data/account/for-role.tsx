import { Text } from '@mantine/core';
import { useParams } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { t } from '../../texts/t.ts';
import { ranks, useMe } from './use-me.ts';

/** From the least to the most. */
const order = ['reader', 'author', 'approver', 'member', 'admin'] as const;
export type AppRole = (typeof order)[number];

const bases = {
  'super-admin': 'admin',
  admin: 'admin',
  member: 'member',
  reader: 'reader',
  guest: null,
} as const;
const placeOf = (role: AppRole | null): number => (role === null ? -1 : order.indexOf(role));

/** On the app of the page; without one, in the organization. Null: none. */
export function useAppRole(): AppRole | null {
  const { app } = useParams({ strict: false });
  const { user } = useMe();
  const base = bases[user.role];
  const granted = user.grants.find((grant) => grant.app === app)?.role ?? null;
  return placeOf(granted) > placeOf(base) ? granted : base;
}

export const useMay = (role: AppRole): boolean => placeOf(useAppRole()) >= placeOf(role);

/** Whether this user has at least both: a role in the organization, and one on the app of the page. */
export function useReach(): (role?: keyof typeof ranks, appRole?: AppRole) => boolean {
  const { user } = useMe();
  const place = placeOf(useAppRole());
  return (role = 'guest', appRole) =>
    ranks[user.role] >= ranks[role] && (appRole === undefined || place >= placeOf(appRole));
}

interface ForRoleProps {
  readonly least: AppRole;
  /** Says why, where the children are what a page is for. */
  readonly explains?: boolean;
  readonly children: ReactNode;
}

/** What takes a role on the app of the page. The API decides; pages only leave out what it would refuse. */
export function ForRole({ least, explains = false, children }: ForRoleProps): ReactNode {
  if (useMay(least)) return children;
  return explains ? (
    <Text size="sm" c="dimmed">
      {t.roles.needs(t.roles.names[least])}
    </Text>
  ) : null;
}

/** Why the page of an app shows fewer buttons than others see; nothing for members and admins. */
export function RoleNote(): ReactNode {
  const { app } = useParams({ strict: false });
  const role = useAppRole();
  if (app === undefined || role === null || role === 'member' || role === 'admin') return null;
  return (
    <Text size="sm" c="dimmed" mt={4}>
      {t.roles.notes[role]}
    </Text>
  );
}
