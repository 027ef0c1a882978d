import type { LinkProps } from '@tanstack/react-router';
import type { AppRole } from '../data/account/for-role.tsx';
import { t } from '../texts/t.ts';
import {
  type Icon,
  IconAdjustments,
  IconApps,
  IconBell,
  IconBuilding,
  IconCalendar,
  IconCategory,
  IconChartLine,
  IconCode,
  IconFileText,
  IconFilter,
  IconGauge,
  IconHistory,
  IconKey,
  IconLayoutDashboard,
  IconMessageQuestion,
  IconMoodSmile,
  IconPencil,
  IconReportMoney,
  IconSend,
  IconShieldLock,
  IconSpeakerphone,
  IconUser,
  IconUsers,
  IconUsersGroup,
  IconWebhook,
} from '../ui/icons.ts';

export interface NavEntry {
  readonly label: string;
  readonly to: LinkProps['to'];
  readonly icon: Icon;
  /** Marked only on the page itself, not on those below it. */
  readonly exact?: boolean;
  /** Hidden for users with a lower role. */
  readonly role?: 'reader' | 'admin' | 'super-admin';
  /** Of an app: hidden for those who have less there. */
  readonly appRole?: AppRole;
}

export interface NavGroup {
  /** By which a browser remembers whether it is folded. */
  readonly key: 'send' | 'readers' | 'results' | 'set-up' | 'organization';
  readonly label: string;
  readonly entries: readonly NavEntry[];
}

/** The day of an editor, in the order in which one works. */
export const appGroups: readonly NavGroup[] = [
  {
    key: 'send',
    label: t.nav.send,
    entries: [
      { label: t.nav.overview, to: '/apps/$app', icon: IconLayoutDashboard, exact: true },
      { label: t.nav.compose, to: '/apps/$app/compose', icon: IconPencil, appRole: 'author' },
      { label: t.calendar.title, to: '/apps/$app/calendar', icon: IconCalendar },
      { label: t.nav.drafts, to: '/apps/$app/drafts', icon: IconFileText },
      { label: t.nav.deliveries, to: '/apps/$app/deliveries', icon: IconSend },
      { label: t.nav.campaigns, to: '/apps/$app/campaigns', icon: IconSpeakerphone },
    ],
  },
  {
    key: 'readers',
    label: t.nav.readers,
    entries: [
      { label: t.nav.subscribers, to: '/apps/$app/subscribers', icon: IconUsers },
      { label: t.nav.segments, to: '/apps/$app/segments', icon: IconFilter },
      { label: t.nav.categories, to: '/apps/$app/categories', icon: IconCategory },
    ],
  },
];

const reports: NavEntry = { label: t.nav.reports, to: '/reports', icon: IconReportMoney, role: 'reader' };

export const resultsOfApp: NavGroup = {
  key: 'results',
  label: t.nav.results,
  entries: [
    { label: t.nav.analytics, to: '/apps/$app/analytics', icon: IconChartLine },
    { label: t.nav.standing, to: '/apps/$app/standing', icon: IconGauge },
    reports,
  ],
};
/** Where no app is chosen. */
export const results: NavGroup = { key: 'results', label: t.nav.results, entries: [reports] };

/** What is set up once for a site. */
export const setUpGroup: NavGroup = {
  key: 'set-up',
  label: t.nav.setUp,
  entries: [
    { label: t.nav.integration, to: '/apps/$app/integration', icon: IconCode },
    { label: t.nav.welcome, to: '/apps/$app/welcome', icon: IconMoodSmile },
    { label: t.nav.prompts, to: '/apps/$app/prompts', icon: IconMessageQuestion },
    { label: t.nav.keys, to: '/apps/$app/keys', icon: IconShieldLock },
    { label: t.nav.appSettings, to: '/apps/$app/settings', icon: IconAdjustments },
  ],
};

/** Of the organization and yourself. */
export const organizationGroup: NavGroup = {
  key: 'organization',
  label: t.nav.organization,
  entries: [
    { label: t.nav.apps, to: '/apps', icon: IconApps, exact: true },
    { label: t.nav.team, to: '/settings/team', icon: IconUsersGroup, role: 'admin' },
    { label: t.nav.tokens, to: '/settings/tokens', icon: IconKey },
    { label: t.nav.auditLog, to: '/settings/audit-log', icon: IconHistory, role: 'admin' },
    { label: t.nav.alerts, to: '/settings/alerts', icon: IconBell, role: 'admin' },
    { label: t.nav.webhooks, to: '/settings/webhooks', icon: IconWebhook, role: 'admin' },
    { label: t.nav.organizations, to: '/settings/organizations', icon: IconBuilding, role: 'super-admin' },
    { label: t.nav.account, to: '/settings/account', icon: IconUser },
  ],
};
