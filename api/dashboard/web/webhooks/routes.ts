import { createRoute } from '@tanstack/react-router';
import { pageSearch } from '../format/page-search.ts';
import { seldomPage } from '../frame/lazy-page.ts';
import { settingsRoute } from '../frame/routes.ts';

/** The webhooks of an organization, and what was sent to one of them. */
export const webhooksRoutes = [
  createRoute({
    getParentRoute: () => settingsRoute,
    path: 'webhooks',
    component: seldomPage(() => import('./webhooks-page.tsx'), 'WebhooksPage'),
  }),
  createRoute({
    getParentRoute: () => settingsRoute,
    path: 'webhooks/$webhook',
    validateSearch: pageSearch,
    component: seldomPage(() => import('./webhook-page.tsx'), 'WebhookPage'),
  }),
] as const;
