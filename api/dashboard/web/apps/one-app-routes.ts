import { createRoute } from '@tanstack/react-router';
import { settingsSearch } from '../data/apps/settings-search.ts';
import { lazyPage } from '../frame/lazy-page.ts';
import { appRoute } from '../frame/routes.ts';

/** The pages about one app itself, behind its overview. */
export const oneAppRoutes = [
  createRoute({
    getParentRoute: () => appRoute,
    path: 'settings',
    validateSearch: settingsSearch,
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
