import { Button, Menu, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link, useParams } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { appsQuery } from '../data/apps/queries.ts';
import { useApi } from '../data/http/services.tsx';
import { t } from '../texts/t.ts';
import { IconCheck, IconChevronDown, IconPlus } from '../ui/icons.ts';
import classes from './app-switcher.module.css';
import { useLastApp } from './last-app.ts';

/** The current app, and a menu of the others. */
export function AppSwitcher(): ReactNode {
  const { app: named } = useParams({ strict: false });
  const inHand = useLastApp(named);
  const { data } = useQuery(appsQuery(useApi()));
  if (data === undefined || data.data.length === 0) return null;
  const current = data.data.find(({ identifier }) => identifier === inHand);
  return (
    <Menu position="bottom-start" width={280} withinPortal={false}>
      <Menu.Target>
        <Button
          variant="default"
          size="sm"
          className={classes.target}
          rightSection={<IconChevronDown size={16} aria-hidden />}
          aria-label={`${t.nav.switchApp}: ${current?.name ?? t.nav.chooseApp}`}
        >
          <span className={classes.name}>{current?.name ?? t.nav.chooseApp}</span>
        </Button>
      </Menu.Target>
      <Menu.Dropdown className={classes.dropdown}>
        {data.data.map((app) => (
          <Menu.Item
            key={app.identifier}
            rightSection={app === current ? <IconCheck size={16} aria-hidden /> : null}
            renderRoot={(props) => <Link to="/apps/$app" params={{ app: app.identifier }} {...props} />}
          >
            <Text size="sm" fw={500} truncate>
              {app.name}
            </Text>
            <Text size="xs" c="dimmed" truncate>
              {app.site_domain}
            </Text>
          </Menu.Item>
        ))}
        <Menu.Divider />
        <Menu.Item
          leftSection={<IconPlus size={16} aria-hidden />}
          renderRoot={(props) => <Link to="/apps/new" {...props} />}
        >
          {t.nav.newApp}
        </Menu.Item>
        <Menu.Item renderRoot={(props) => <Link to="/apps" {...props} />}>{t.nav.allApps}</Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
