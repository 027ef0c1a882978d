import type { PageCase } from './page-case.ts';

/** Pages about readers: subscribers, segments, and their figures. */
export const audiencePages: readonly PageCase[] = [
  {
    name: 'subscribers',
    path: ({ audience }) => `/apps/${audience.app}/subscribers`,
    heading: 'Subscribers',
    shows: 'tbody a',
  },
  {
    name: 'subscribers-filtered',
    path: ({ audience }) => `/apps/${audience.app}/subscribers?country=DE&tags=%5B%22plan%3Dpremium%22%5D`,
    heading: 'Subscribers',
    shows: 'tbody a',
  },
  {
    name: 'subscribers-empty',
    path: ({ newApp }) => `/apps/${newApp}/subscribers`,
    heading: 'Subscribers',
    shows: 'main h2',
  },
  {
    name: 'subscriber',
    path: ({ audience }) => `/apps/${audience.app}/subscribers/${audience.subscriber}`,
    heading: ({ audience }) => `Subscriber ${audience.subscriber}`,
    shows: 'tbody .mantine-Badge-root',
  },
  {
    name: 'trace',
    path: ({ audience: { app, subscriber, delivery } }) =>
      `/apps/${app}/subscribers/${subscriber}/deliveries/${delivery}`,
    heading: 'Delivery result',
    shows: 'main h2',
  },
  {
    name: 'segments',
    path: ({ audience }) => `/apps/${audience.app}/segments`,
    heading: 'Segments',
    shows: 'tbody a',
  },
  {
    name: 'segments-empty',
    path: ({ newApp }) => `/apps/${newApp}/segments`,
    heading: 'Segments',
    shows: 'main h2',
  },
  {
    name: 'segment-new',
    path: ({ audience }) => `/apps/${audience.app}/segments/new`,
    heading: 'New segment',
  },
  {
    name: 'segment',
    path: ({ audience }) => `/apps/${audience.app}/segments/${audience.segment}`,
    heading: 'Edit segment',
    shows: '[data-audience]',
  },
  {
    name: 'standing',
    path: ({ audience }) => `/apps/${audience.app}/standing`,
    heading: 'Deliverability',
    shows: 'tbody a',
  },
  {
    name: 'standing-empty',
    path: ({ newApp }) => `/apps/${newApp}/standing`,
    heading: 'Deliverability',
    shows: 'main dl',
  },
  {
    name: 'overview-limited',
    path: ({ audience }) => `/apps/${audience.app}`,
    heading: 'Example Weekly',
    shows: 'main [role="status"] a[href$="/standing"]',
  },
  {
    name: 'analytics',
    path: ({ audience }) => `/apps/${audience.app}/analytics`,
    heading: 'Analytics',
    shows: 'section[aria-label="Revenue and clicks"] path[data-series]',
  },
  {
    name: 'analytics-empty',
    path: ({ newApp }) => `/apps/${newApp}/analytics`,
    heading: 'Analytics',
    shows: 'main h2',
  },
  { name: 'reports', path: () => '/reports', heading: 'Reports', shows: 'input[type=password]' },
  {
    ...{ name: 'report-checks', path: () => '/reports/checks', heading: 'Checks' },
    shows: 'input[type=password]',
  },
  {
    ...{ name: 'report-schedules', path: () => '/reports/scheduled', heading: 'Schedules' },
    shows: 'input[type=password]',
  },
];
