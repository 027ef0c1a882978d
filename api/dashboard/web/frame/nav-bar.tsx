import { NavLink, Stack, Text } from '@mantine/core';
import { Link, useParams } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useMay } from '../data/account/for-role.tsx';
import { useHasRole } from '../data/account/use-me.ts';
import { useLastApp } from './last-app.ts';
import classes from './nav-bar.module.css';
import {
  appGroups,
  type NavEntry,
  type NavGroup,
  organizationGroup,
  results,
  resultsOfApp,
  setUpGroup,
} from './navigation.ts';

const groupsFor = (app: string | null): readonly NavGroup[] =>
  app === null ? [results, organizationGroup] : [...appGroups, resultsOfApp, setUpGroup, organizationGroup];

/** The navigation: the day of an editor in the current app, its set-up, and the organization. */
export function NavBar(): ReactNode {
  const { app: named } = useParams({ strict: false });
  const app = useLastApp(named);
  return (
    <>
      {groupsFor(app).map(({ label, entries }) => (
        <Entries key={label} label={label} entries={entries} params={app === null ? {} : { app }} />
      ))}
    </>
  );
}

interface EntriesProps {
  readonly label: string;
  readonly entries: readonly NavEntry[];
  readonly params: Record<string, string>;
}

const Entries = ({ label, entries, params }: EntriesProps): ReactNode => (
  <div>
    <Text size="xs" fw={600} c="dimmed" className={classes.label}>
      {label}
    </Text>
    <Stack gap={2} component="ul" className={classes.list} aria-label={label}>
      {entries.map((entry) => (
        <Entry key={entry.label} {...entry} params={params} />
      ))}
    </Stack>
  </div>
);

function Entry({ label, to, icon: Glyph, exact = false, role = 'guest', appRole, params }: Item): ReactNode {
  const has = useHasRole(role);
  const may = useMay(appRole ?? 'reader');
  if (!has || (appRole !== undefined && !may)) return null;
  return (
    <li>
      <NavLink
        label={label}
        leftSection={<Glyph size={18} stroke={1.7} aria-hidden />}
        className={classes.link}
        renderRoot={(props) => (
          <Link
            to={to as string}
            params={params as never}
            activeOptions={{ exact }}
            activeProps={{ 'data-active': true, 'aria-current': 'page' }}
            {...props}
          />
        )}
      />
    </li>
  );
}

interface Item extends Omit<NavEntry, 'role'> {
  readonly role?: Parameters<typeof useHasRole>[0];
  readonly params: Record<string, string>;
}
