import { createRoute } from '@tanstack/react-router';
import { lazyPage } from '../shell/lazy-page.ts';
import { appRoute } from '../shell/routes.ts';
import { readSearch } from './period.ts';

export const analyticsRoutes = [
  createRoute({
    getParentRoute: () => appRoute,
    path: 'analytics',
    validateSearch: readSearch,
    component: lazyPage(() => import('./analytics-page.tsx'), 'AnalyticsPage'),
  }),
] as const;
