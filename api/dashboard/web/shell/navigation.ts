import {
  type Icon,
  IconAdjustments,
  IconApps,
  IconBuilding,
  IconCategory,
  IconChartLine,
  IconCode,
  IconFilter,
  IconHistory,
  IconKey,
  IconLayoutDashboard,
  IconPencil,
  IconReportMoney,
  IconSend,
  IconShieldLock,
  IconUser,
  IconUsers,
  IconUsersGroup,
} from '@tabler/icons-react';
import type { LinkProps } from '@tanstack/react-router';
import { t } from '../texts/t.ts';

export interface NavEntry {
  readonly label: string;
  readonly to: LinkProps['to'];
  readonly icon: Icon;
  /** Marked only on the page itself, not on those below it. */
  readonly exact?: boolean;
  /** Left out for whoever has a lower role. */
  readonly role?: 'admin' | 'super-admin';
}

/** Of one app, in the order in which one works. */
export const appEntries: readonly NavEntry[] = [
  { label: t.nav.overview, to: '/apps/$app', icon: IconLayoutDashboard, exact: true },
  { label: t.nav.compose, to: '/apps/$app/compose', icon: IconPencil },
  { label: t.nav.deliveries, to: '/apps/$app/deliveries', icon: IconSend },
  { label: t.nav.subscribers, to: '/apps/$app/subscribers', icon: IconUsers },
  { label: t.nav.segments, to: '/apps/$app/segments', icon: IconFilter },
  { label: t.nav.categories, to: '/apps/$app/categories', icon: IconCategory },
  { label: t.nav.analytics, to: '/apps/$app/analytics', icon: IconChartLine },
  { label: t.nav.integration, to: '/apps/$app/integration', icon: IconCode },
  { label: t.nav.keys, to: '/apps/$app/keys', icon: IconShieldLock },
  { label: t.nav.appSettings, to: '/apps/$app/settings', icon: IconAdjustments },
];

/** Of the organization and oneself. */
export const settingsEntries: readonly NavEntry[] = [
  { label: t.nav.apps, to: '/apps', icon: IconApps, exact: true },
  { label: t.nav.reports, to: '/reports', icon: IconReportMoney },
  { label: t.nav.tokens, to: '/settings/tokens', icon: IconKey },
  { label: t.nav.team, to: '/settings/team', icon: IconUsersGroup, role: 'admin' },
  { label: t.nav.auditLog, to: '/settings/audit-log', icon: IconHistory, role: 'admin' },
  { label: t.nav.organizations, to: '/settings/organizations', icon: IconBuilding, role: 'super-admin' },
  { label: t.nav.account, to: '/settings/account', icon: IconUser },
];
