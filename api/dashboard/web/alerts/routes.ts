import { createRoute } from '@tanstack/react-router';
import { pageSearch } from '../format/page-search.ts';
import { seldomPage } from '../frame/lazy-page.ts';
import { settingsRoute } from '../frame/routes.ts';

/** Where an organization gets its alerts, and which there were. */
export const alertsRoutes = [
  createRoute({
    getParentRoute: () => settingsRoute,
    path: 'alerts',
    validateSearch: pageSearch,
    component: seldomPage(() => import('./alerts-page.tsx'), 'AlertsPage'),
  }),
] as const;
