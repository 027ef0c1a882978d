import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { pageSearch } from '../shell/page-search.ts';
import { settingsRoute } from '../shell/routes.ts';
import { auditSearch, teamSearch } from './search.ts';

/** Of the organization and oneself. */
export const settingsRoutes = [
  createRoute({
    getParentRoute: () => settingsRoute,
    path: 'tokens',
    validateSearch: pageSearch,
    component: lazyRouteComponent(() => import('./tokens-page.tsx'), 'TokensPage'),
  }),
  createRoute({
    getParentRoute: () => settingsRoute,
    path: 'team',
    validateSearch: teamSearch,
    component: lazyRouteComponent(() => import('./team-page.tsx'), 'TeamPage'),
  }),
  createRoute({
    getParentRoute: () => settingsRoute,
    path: 'audit-log',
    validateSearch: auditSearch,
    component: lazyRouteComponent(() => import('./audit-log-page.tsx'), 'AuditLogPage'),
  }),
  createRoute({
    getParentRoute: () => settingsRoute,
    path: 'organizations',
    validateSearch: pageSearch,
    component: lazyRouteComponent(() => import('./organizations-page.tsx'), 'OrganizationsPage'),
  }),
  createRoute({
    getParentRoute: () => settingsRoute,
    path: 'account',
    component: lazyRouteComponent(() => import('./account-page.tsx'), 'AccountPage'),
  }),
] as const;
