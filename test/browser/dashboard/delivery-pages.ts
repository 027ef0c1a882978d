import type { PageCase } from './page-case.ts';

/** Pages about deliveries: composing one, and its progress. */
export const deliveryPages: readonly PageCase[] = [
  {
    name: 'compose',
    path: ({ app }) => `/apps/${app}/compose`,
    heading: 'Compose',
    shows: 'dd [role=status]',
  },
  {
    name: 'compose-filled',
    path: ({ app, deliveries }) => `/apps/${app}/compose?from=${deliveries.partial}`,
    heading: 'Compose',
    shows: 'figure img',
  },
  {
    name: 'drafts',
    path: ({ app }) => `/apps/${app}/drafts`,
    heading: 'Drafts',
    shows: 'tbody a',
  },
  {
    name: 'drafts-none',
    path: ({ newApp }) => `/apps/${newApp}/drafts`,
    heading: 'Drafts',
    shows: 'main h2',
  },
  {
    name: 'delivery-corrected',
    path: ({ app, deliveries }) => `/apps/${app}/deliveries/${deliveries.corrected}`,
    heading: 'Ferries',
    shows: 'main [role=alert]',
  },
  {
    name: 'deliveries',
    path: ({ app }) => `/apps/${app}/deliveries`,
    heading: 'Deliveries',
    shows: 'tbody .mantine-Badge-root',
  },
  {
    name: 'deliveries-none',
    path: ({ app }) => `/apps/${app}/deliveries?search=nothing+has+this&status=failed`,
    heading: 'Deliveries',
    shows: 'main h2',
  },
  {
    name: 'deliveries-empty',
    path: ({ newApp }) => `/apps/${newApp}/deliveries`,
    heading: 'Deliveries',
    shows: 'main h2',
  },
  {
    name: 'delivery-running',
    path: ({ app, deliveries }) => `/apps/${app}/deliveries/${deliveries.running}`,
    heading: 'Morning',
    shows: '[role=progressbar]',
  },
  {
    name: 'delivery-partial',
    path: ({ app, deliveries }) => `/apps/${app}/deliveries/${deliveries.partial}`,
    heading: 'Storm, evening edition',
    shows: 'figure img',
  },
  {
    name: 'delivery-scheduled',
    path: ({ app, deliveries }) => `/apps/${app}/deliveries/${deliveries.scheduled}`,
    heading: 'Front page teaser',
    shows: 'figure',
  },
  {
    name: 'delivery-rehearsed',
    path: ({ app, deliveries }) => `/apps/${app}/deliveries/${deliveries.rehearsed}`,
    heading: 'Morning',
    shows: '[role=progressbar]',
  },
];
