import { createRoute } from '@tanstack/react-router';
import { lazyPage } from '../shell/lazy-page.ts';
import { insideRoute } from '../shell/routes.ts';
import { loadSeldomTexts } from '../texts/t.ts';

export const reportsRoutes = [
  createRoute({
    getParentRoute: () => insideRoute,
    path: '/reports',
    /** The report that was made last, so that its address can be kept and passed on: the page reads it. */
    validateSearch: ({ report }: Record<string, unknown>): { report?: object } =>
      typeof report === 'object' && report !== null ? { report } : {},
    component: lazyPage(() => loadSeldomTexts().then(() => import('./reports-page.tsx')), 'ReportsPage'),
  }),
] as const;
