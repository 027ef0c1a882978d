import { createRoute } from '@tanstack/react-router';
import { seldomPage } from '../shell/lazy-page.ts';
import { appRoute } from '../shell/routes.ts';

/** What new subscribers get. */
export const welcomeRoutes = [
  createRoute({
    getParentRoute: () => appRoute,
    path: 'welcome',
    component: seldomPage(() => import('./welcome-page.tsx'), 'WelcomePage'),
  }),
] as const;
