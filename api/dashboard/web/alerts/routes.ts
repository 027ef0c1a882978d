import { createRoute } from '@tanstack/react-router';
import { seldomPage } from '../shell/lazy-page.ts';
import { pageSearch } from '../shell/page-search.ts';
import { settingsRoute } from '../shell/routes.ts';

/** Where an organization gets its alerts, and which there were. */
export const alertsRoutes = [
  createRoute({
    getParentRoute: () => settingsRoute,
    path: 'alerts',
    validateSearch: pageSearch,
    component: seldomPage(() => import('./alerts-page.tsx'), 'AlertsPage'),
  }),
] as const;
