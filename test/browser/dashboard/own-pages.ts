import type { PageCase } from './page-case.ts';

/** Pages of the organization, of yourself, and about apps themselves. */
export const ownPages: readonly PageCase[] = [
  { name: 'apps', path: () => '/apps', heading: 'Apps', shows: 'tbody a' },
  { name: 'new-app', path: () => '/apps/new', heading: 'New app' },
  {
    name: 'overview',
    path: ({ app }) => `/apps/${app}`,
    heading: ({ appName }) => appName,
    shows: 'main section',
  },
  { name: 'overview-new', path: ({ newApp }) => `/apps/${newApp}`, heading: 'Example Sports', shows: 'ol' },
  { name: 'app-settings', path: ({ app }) => `/apps/${app}/settings`, heading: 'App settings' },
  {
    name: 'app-settings-limits',
    path: ({ app }) => `/apps/${app}/settings?tab=limits`,
    heading: 'App settings',
    shows: '[role=tab][aria-selected=true]',
  },
  {
    name: 'app-settings-data',
    path: ({ app }) => `/apps/${app}/settings?tab=data`,
    heading: 'App settings',
    shows: '[role=tab][aria-selected=true]',
  },
  { name: 'keys', path: ({ app }) => `/apps/${app}/keys`, heading: 'VAPID keys', shows: 'tbody' },
  { name: 'integration', path: ({ app }) => `/apps/${app}/integration`, heading: 'Integration' },
  { name: 'welcome', path: ({ app }) => `/apps/${app}/welcome`, heading: 'Welcome', shows: 'main form' },
  { name: 'prompts', path: ({ app }) => `/apps/${app}/prompts`, heading: 'Prompts', shows: 'main form' },
  { name: 'categories', path: ({ app }) => `/apps/${app}/categories`, heading: 'Categories', shows: 'tbody' },
  {
    name: 'categories-empty',
    path: ({ newApp }) => `/apps/${newApp}/categories`,
    heading: 'Categories',
    shows: 'main h2',
  },
  { name: 'tokens', path: () => '/settings/tokens', heading: 'API tokens', shows: 'tbody' },
  { name: 'team', path: () => '/settings/team', heading: 'Team', shows: 'tbody' },
  { name: 'audit-log', path: () => '/settings/audit-log', heading: 'Audit log', shows: 'tbody' },
  { name: 'alerts', path: () => '/settings/alerts', heading: 'Alerts', shows: 'section tbody' },
  { name: 'webhooks', path: () => '/settings/webhooks', heading: 'Webhooks', shows: 'tbody a' },
  {
    name: 'webhook',
    path: ({ webhook }) => `/settings/webhooks/${webhook}`,
    heading: ({ webhook }) => `Webhook ${webhook}`,
    shows: 'section tbody',
  },
  { name: 'organizations', path: () => '/settings/organizations', heading: 'Organizations', shows: 'tbody' },
  { name: 'account', path: () => '/settings/account', heading: 'Your account' },
];
