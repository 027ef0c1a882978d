import type { PageCase } from './page-case.ts';
import { campaignNames } from './world-campaigns.ts';

/** Pages about campaigns: their list, and one of each kind. */
export const campaignPages: readonly PageCase[] = [
  {
    name: 'campaigns',
    path: ({ app }) => `/apps/${app}/campaigns`,
    heading: 'Campaigns',
    shows: 'tbody .mantine-Badge-root',
  },
  {
    name: 'campaigns-none',
    path: ({ app }) => `/apps/${app}/campaigns?status=failed`,
    heading: 'Campaigns',
    shows: 'main h2',
  },
  {
    name: 'campaigns-empty',
    path: ({ newApp }) => `/apps/${newApp}/campaigns`,
    heading: 'Campaigns',
    shows: 'main h2',
  },
  {
    name: 'campaign-feed',
    path: ({ app, campaigns }) => `/apps/${app}/campaigns/${campaigns.feed}`,
    heading: campaignNames.feed,
    shows: 'main ul > li button',
  },
  {
    name: 'feed-new',
    path: ({ app }) => `/apps/${app}/feeds/new`,
    heading: 'New feed',
    shows: 'main button[type=submit]',
  },
  {
    name: 'feed-change',
    path: ({ app, campaigns }) => `/apps/${app}/feeds/${campaigns.feed}`,
    heading: 'Change the feed',
    shows: 'main [role=alert]',
  },
  ...(['decided', 'waiting', 'local', 'recurring'] as const).map((kind) => ({
    name: `campaign-${kind}`,
    path: ({ app, campaigns }: Parameters<PageCase['path']>[0]) =>
      `/apps/${app}/campaigns/${campaigns[kind]}`,
    heading: campaignNames[kind],
    shows: 'main figure',
  })),
];
