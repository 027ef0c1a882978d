import { createRoute } from '@tanstack/react-router';
import { seldomPage } from '../frame/lazy-page.ts';
import { appRoute } from '../frame/routes.ts';

/** How push services and browsers treat an app. */
export const standingRoutes = [
  createRoute({
    getParentRoute: () => appRoute,
    path: 'standing',
    component: seldomPage(() => import('./standing-page.tsx'), 'StandingPage'),
  }),
] as const;
