import { createRoute } from '@tanstack/react-router';
import { homePage } from '../frame/lazy-page.ts';
import { appRoute } from '../frame/routes.ts';

/** The first page of one app. */
export const overviewRoutes = [
  createRoute({
    getParentRoute: () => appRoute,
    path: '/',
    component: homePage(() => import('./overview-page.tsx'), 'OverviewPage'),
  }),
] as const;
