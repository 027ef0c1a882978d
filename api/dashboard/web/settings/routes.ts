import { createRoute } from '@tanstack/react-router';
import { lazyPage, seldomPage } from '../shell/lazy-page.ts';
import { pageSearch } from '../shell/page-search.ts';
import { settingsRoute } from '../shell/routes.ts';
import { auditSearch, teamSearch } from './search.ts';

/** Of the organization and oneself. */
export const settingsRoutes = [
  createRoute({
    getParentRoute: () => settingsRoute,
    path: 'tokens',
    validateSearch: pageSearch,
    component: lazyPage(() => import('./tokens-page.tsx'), 'TokensPage'),
  }),
  createRoute({
    getParentRoute: () => settingsRoute,
    path: 'team',
    validateSearch: teamSearch,
    component: lazyPage(() => import('./team-page.tsx'), 'TeamPage'),
  }),
  createRoute({
    getParentRoute: () => settingsRoute,
    path: 'audit-log',
    validateSearch: auditSearch,
    component: seldomPage(() => import('./audit-log-page.tsx'), 'AuditLogPage'),
  }),
  createRoute({
    getParentRoute: () => settingsRoute,
    path: 'organizations',
    validateSearch: pageSearch,
    component: lazyPage(() => import('./organizations-page.tsx'), 'OrganizationsPage'),
  }),
  createRoute({
    getParentRoute: () => settingsRoute,
    path: 'account',
    component: lazyPage(() => import('./account-page.tsx'), 'AccountPage'),
  }),
] as const;
