import { createRoute } from '@tanstack/react-router';
import { pageSearch } from '../format/page-search.ts';
import { lazyPage } from '../frame/lazy-page.ts';
import { settingsRoute } from '../frame/routes.ts';

/** All organizations, for operators. */
export const organizationsRoutes = [
  createRoute({
    getParentRoute: () => settingsRoute,
    path: 'organizations',
    validateSearch: pageSearch,
    component: lazyPage(() => import('./organizations-page.tsx'), 'OrganizationsPage'),
  }),
] as const;
