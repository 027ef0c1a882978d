import { createRoute } from '@tanstack/react-router';
import { homePage, lazyPage } from '../shell/lazy-page.ts';
import { appRoute } from '../shell/routes.ts';

/** The pages about one app itself. */
export const oneAppRoutes = [
  createRoute({
    getParentRoute: () => appRoute,
    path: '/',
    component: homePage(() => import('./overview-page.tsx'), 'OverviewPage'),
  }),
  createRoute({
    getParentRoute: () => appRoute,
    path: 'settings',
    component: lazyPage(() => import('./settings-page.tsx'), 'AppSettingsPage'),
  }),
  createRoute({
    getParentRoute: () => appRoute,
    path: 'keys',
    component: lazyPage(() => import('./keys-page.tsx'), 'KeysPage'),
  }),
  createRoute({
    getParentRoute: () => appRoute,
    path: 'integration',
    component: lazyPage(() => import('./integration-page.tsx'), 'IntegrationPage'),
  }),
] as const;
