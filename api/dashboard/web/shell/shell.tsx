import { AppShell, Burger, Group, useMantineTheme } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { Link, Outlet, useLocation } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import { t } from '../texts/t.ts';
import { AppSwitcher } from './app-switcher.tsx';
import { Commands } from './commands.tsx';
import { InSlices } from './in-slices.tsx';
import { Logo } from './logo.tsx';
import { NavBar } from './nav-bar.tsx';
import { OfflineNote } from './offline-note.tsx';
import classes from './shell.module.css';
import { UserMenu } from './user-menu.tsx';

/** The frame of every page behind the log-in. */
export function Shell(): ReactNode {
  const { pathname } = useLocation();
  // The page it was opened on: going to another one closes it.
  const [openedOn, setOpenedOn] = useState<string | null>(null);
  const opened = openedOn === pathname;
  const isWide = useMediaQuery(`(min-width: ${useMantineTheme().breakpoints.sm})`, true, {
    getInitialValueInEffect: false,
  });
  return (
    <AppShell
      header={{ height: 60 }}
      navbar={{ width: 248, breakpoint: 'sm', collapsed: { mobile: !opened } }}
      padding={{ base: 'md', md: 'xl' }}
      // It marks itself while its size changes; of another duration, the browser would style the whole page anew for that.
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
      {/* Closed, it must not stand beside the window, where Tab and a screen reader would find it. */}
      {(isWide || opened) && (
        <AppShell.Navbar aria-label={t.nav.label} className={classes.navbar} p="sm">
          <InSlices>
            <NavBar />
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
