import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { appRoute } from '../shell/routes.ts';

/** The pages about one app itself. */
export const oneAppRoutes = [
  createRoute({
    getParentRoute: () => appRoute,
    path: '/',
    component: lazyRouteComponent(() => import('./overview-page.tsx'), 'OverviewPage'),
  }),
  createRoute({
    getParentRoute: () => appRoute,
    path: 'settings',
    component: lazyRouteComponent(() => import('./settings-page.tsx'), 'AppSettingsPage'),
  }),
  createRoute({
    getParentRoute: () => appRoute,
    path: 'keys',
    component: lazyRouteComponent(() => import('./keys-page.tsx'), 'KeysPage'),
  }),
  createRoute({
    getParentRoute: () => appRoute,
    path: 'integration',
    component: lazyRouteComponent(() => import('./integration-page.tsx'), 'IntegrationPage'),
  }),
] as const;
