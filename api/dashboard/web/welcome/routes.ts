import { createRoute } from '@tanstack/react-router';
import { seldomPage } from '../frame/lazy-page.ts';
import { appRoute } from '../frame/routes.ts';

/** What new subscribers get. */
export const welcomeRoutes = [
  createRoute({
    getParentRoute: () => appRoute,
    path: 'welcome',
    component: seldomPage(() => import('./welcome-page.tsx'), 'WelcomePage'),
  }),
] as const;
