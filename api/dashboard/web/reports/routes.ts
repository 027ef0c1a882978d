import { createRoute } from '@tanstack/react-router';
import { seldomPage } from '../frame/lazy-page.ts';
import { insideRoute } from '../frame/routes.ts';

export const reportsRoutes = [
  createRoute({
    getParentRoute: () => insideRoute,
    path: '/reports',
    /** The report that was made last, so that its address can be kept and passed on: the page reads it. */
    validateSearch: ({ report }: Record<string, unknown>): { report?: object } =>
      typeof report === 'object' && report !== null ? { report } : {},
    component: seldomPage(() => import('./reports-page.tsx'), 'ReportsPage'),
  }),
] as const;
