import { createRoute } from '@tanstack/react-router';
import { seldomPage } from '../frame/lazy-page.ts';
import { insideRoute } from '../frame/routes.ts';
import { type CheckView, checkViews } from './checks/views.ts';

export const reportsRoutes = [
  createRoute({
    getParentRoute: () => insideRoute,
    path: '/reports',
    /** The report that is shown, and the saved one that it began as: the page reads both. */
    validateSearch: ({ report, saved }: Record<string, unknown>): { report?: object; saved?: number } => ({
      ...(typeof saved === 'number' && Number.isSafeInteger(saved) && saved > 0 ? { saved } : {}),
      ...(typeof report === 'object' && report !== null ? { report } : {}),
    }),
    component: seldomPage(() => import('./reports-page.tsx'), 'ReportsPage'),
  }),
  createRoute({
    getParentRoute: () => insideRoute,
    path: '/reports/checks',
    validateSearch: ({ view }: Record<string, unknown>): { view?: CheckView } => {
      const known = checkViews.find((each) => each === view);
      return known === undefined ? {} : { view: known };
    },
    component: seldomPage(() => import('./checks/checks-page.tsx'), 'ChecksPage'),
  }),
  createRoute({
    getParentRoute: () => insideRoute,
    // `/reports/schedules` below the dashboard is what the page asks of the reporting API.
    path: '/reports/scheduled',
    component: seldomPage(() => import('./schedules/schedules-page.tsx'), 'SchedulesPage'),
  }),
] as const;
