import { AppShell, Burger, Group } from '@mantine/core';
import { Link, Outlet, useLocation } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import { t } from '../texts/t.ts';
import { InSlices } from '../ui/in-slices.tsx';
import { Logo } from '../ui/logo.tsx';
import { AppSwitcher } from './app-switcher.tsx';
import { Commands } from './commands.tsx';
import { NavBar } from './nav-bar.tsx';
import { OfflineNote } from './offline-note.tsx';
import classes from './shell.module.css';
import { useMatches } from './use-matches.ts';
import { UserMenu } from './user-menu.tsx';

/** The frame of every page behind the log-in. */
export function Shell(): ReactNode {
  const { pathname } = useLocation();
  // The page it was opened on: going to another one closes it.
  const [openedOn, setOpenedOn] = useState<string | null>(null);
  const opened = openedOn === pathname;
  const isWide = useMatches('(min-width: 48em)');
  return (
    <AppShell
      header={{ height: 60 }}
      navbar={{ width: 248, breakpoint: 'sm', collapsed: { mobile: !opened } }}
      padding={{ base: 'md', md: 'xl' }}
      // With any other duration, the mark that it bears while it resizes has the browser restyle the whole page.
      transitionDuration={0}
      className={classes.shell}
    >
      <a href="#content" className={classes.skip}>
        {t.skip}
      </a>
      {/* Above the sidebar: its menus open over it. */}
      <AppShell.Header className={classes.header} zIndex={150}>
        <Group gap="sm" wrap="nowrap">
          <Burger
            opened={opened}
            onClick={() => setOpenedOn(opened ? null : pathname)}
            hiddenFrom="sm"
            size="sm"
            aria-label={opened ? t.nav.close : t.nav.open}
            aria-expanded={opened}
          />
          <Link to="/" className={classes.home} aria-label={t.product}>
            <Logo />
          </Link>
          <InSlices>
            <AppSwitcher />
          </InSlices>
        </Group>
        <Group gap="xs" wrap="nowrap">
          <InSlices>
            <Commands />
            <UserMenu />
          </InSlices>
        </Group>
      </AppShell.Header>
      {/* Mantine moves a closed one off screen, where Tab and screen readers still find it. */}
      {(isWide || opened) && (
        <AppShell.Navbar aria-label={t.nav.label} className={classes.navbar} p="sm">
          <InSlices>
            <NavBar folds={isWide} />
          </InSlices>
        </AppShell.Navbar>
      )}
      <AppShell.Main id="content" tabIndex={-1} className={classes.main}>
        <OfflineNote />
        <InSlices>
          <Outlet />
        </InSlices>
      </AppShell.Main>
    </AppShell>
  );
}
