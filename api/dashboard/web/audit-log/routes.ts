import { createRoute } from '@tanstack/react-router';
import { auditSearch } from '../data/organization/search.ts';
import { seldomPage } from '../frame/lazy-page.ts';
import { settingsRoute } from '../frame/routes.ts';

/** Who did what in an organization. */
export const auditLogRoutes = [
  createRoute({
    getParentRoute: () => settingsRoute,
    path: 'audit-log',
    validateSearch: auditSearch,
    component: seldomPage(() => import('./audit-log-page.tsx'), 'AuditLogPage'),
  }),
] as const;
