import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { insideRoute } from '../shell/routes.ts';
import { readReport } from './address.ts';
import type { ReportDraft } from './report.ts';

export const reportsRoutes = [
  createRoute({
    getParentRoute: () => insideRoute,
    path: '/reports',
    /** The report that was made last, so that its address can be kept and passed on. */
    validateSearch: ({ report }: Record<string, unknown>): { report?: ReportDraft } => {
      const read = readReport(report);
      return read === null ? {} : { report: read };
    },
    component: lazyRouteComponent(() => import('./reports-page.tsx'), 'ReportsPage'),
  }),
] as const;
