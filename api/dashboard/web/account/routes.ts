import { createRoute } from '@tanstack/react-router';
import { lazyPage } from '../frame/lazy-page.ts';
import { settingsRoute } from '../frame/routes.ts';

/** One’s own account. */
export const accountRoutes = [
  createRoute({
    getParentRoute: () => settingsRoute,
    path: 'account',
    component: lazyPage(() => import('./account-page.tsx'), 'AccountPage'),
  }),
] as const;
