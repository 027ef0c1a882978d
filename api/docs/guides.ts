import { fileURLToPath } from 'node:url';
import type { Guide } from '../../engine/kit/http/docs/pages/guides.ts';

const fileOf = (path: string): string => fileURLToPath(new URL(path, import.meta.url));

/** In the order in which a newcomer needs them. */
export const guides: readonly Guide[] = [
  {
    name: 'first-notification',
    title: 'First notification',
    summary: 'From an empty machine to a notification in your own browser.',
    file: fileOf('first-notification.md'),
  },
  {
    name: 'sdk',
    title: 'The SDK',
    summary: 'Put push on your site: two files, one snippet.',
    file: fileOf('../sdk/README.md'),
  },
  {
    name: 'using-broadside',
    title: 'API, commands, dashboard',
    summary: 'Deliveries, breaking news, analytics, and the limits of lists.',
    file: fileOf('../GUIDE.md'),
  },
  {
    name: 'clients',
    title: 'Clients',
    summary: 'TypeScript and Python: types, retries, pages, errors.',
    file: fileOf('clients.md'),
  },
  {
    name: 'moving',
    title: 'Moving from another service',
    summary: 'Readers stay subscribed: key pair, import, the worker at the old address.',
    file: fileOf('moving.md'),
  },
  {
    name: 'moving-onesignal',
    title: 'Moving from OneSignal',
    summary: 'Its export with keys, column by column, and its worker.',
    file: fileOf('moving-onesignal.md'),
  },
  {
    name: 'moving-firebase',
    title: 'Moving from Firebase',
    summary: 'What a registration token lacks, and what can be moved.',
    file: fileOf('moving-firebase.md'),
  },
  {
    name: 'moving-pushwoosh',
    title: 'Moving from Pushwoosh',
    summary: 'What to ask for, column by column, and its worker.',
    file: fileOf('moving-pushwoosh.md'),
  },
  {
    name: 'moving-web-push',
    title: 'Moving from your own server',
    summary: 'Subscriptions that a library such as web-push sent to.',
    file: fileOf('moving-web-push.md'),
  },
  {
    name: 'segments',
    title: 'Segments',
    summary: 'Reach some readers: rules, examples, and what they cost.',
    file: fileOf('segments.md'),
  },
  {
    name: 'campaigns',
    title: 'Campaigns',
    summary: 'Tests with a winner, sends by local time, quiet hours, schedules.',
    file: fileOf('campaigns.md'),
  },
  {
    name: 'desk',
    title: 'Before and after a send',
    summary: 'Drafts and templates, changes until it starts, and corrections.',
    file: fileOf('desk.md'),
  },
  {
    name: 'browsers',
    title: 'Browsers’ rules',
    summary: 'How Chrome, Safari and Firefox judge a sender, and what to do about it.',
    file: fileOf('browsers.md'),
  },
  {
    name: 'alerts',
    title: 'Alerts',
    summary: 'What they are sent for, by e-mail, webhook or Slack, and how to verify a signature.',
    file: fileOf('alerts.md'),
  },
  {
    name: 'webhooks',
    title: 'Webhooks',
    summary: 'States of deliveries and campaigns for your own systems: order, retries, secrets.',
    file: fileOf('webhooks.md'),
  },
  {
    name: 'single-sign-on',
    title: 'Single sign-on',
    summary: 'Log in by your OpenID provider: set-up, roles by groups, and what it may not do.',
    file: fileOf('single-sign-on.md'),
  },
  {
    name: 'reports',
    title: 'Reports',
    summary: 'Ad revenue: tokens, requests, and where the figures come from.',
    file: fileOf('../../reporting/README.md'),
  },
  {
    name: 'imports',
    title: 'Importing ad statistics',
    summary: 'Files, columns, restated days, exchange rates.',
    file: fileOf('../../reporting/IMPORTS.md'),
  },
  {
    name: 'going-live',
    title: 'Going live',
    summary: 'Run it in production: processes, settings, metrics, failures.',
    file: fileOf('../../engine/OPERATIONS.md'),
  },
  {
    name: 'kubernetes',
    title: 'Kubernetes',
    summary: 'Manifests for the roles: probes, budgets, scaling by what is still to be sent.',
    file: fileOf('../../engine/KUBERNETES.md'),
  },
  {
    name: 'reverse-proxy',
    title: 'Reverse proxy',
    summary: 'Https before the API: settings, nginx, and what must reach it.',
    file: fileOf('../../engine/REVERSE-PROXY.md'),
  },
  {
    name: 'backup',
    title: 'Backup and restore',
    summary: 'What to keep, how to take it, and what a restored database would send again.',
    file: fileOf('../../engine/BACKUP.md'),
  },
  {
    name: 'upgrade',
    title: 'Upgrading',
    summary: 'Without downtime, and the way back.',
    file: fileOf('../../engine/UPGRADE.md'),
  },
];
