import { createRoute } from '@tanstack/react-router';
import { readSearch } from '../data/analytics/period.ts';
import { lazyPage } from '../frame/lazy-page.ts';
import { appRoute } from '../frame/routes.ts';

export const analyticsRoutes = [
  createRoute({
    getParentRoute: () => appRoute,
    path: 'analytics',
    validateSearch: readSearch,
    component: lazyPage(() => import('./analytics-page.tsx'), 'AnalyticsPage'),
  }),
] as const;
