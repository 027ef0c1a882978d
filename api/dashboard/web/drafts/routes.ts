import { createRoute } from '@tanstack/react-router';
import { lazyPage } from '../frame/lazy-page.ts';
import { appRoute } from '../frame/routes.ts';

export const draftsRoutes = [
  createRoute({
    getParentRoute: () => appRoute,
    path: 'drafts',
    component: lazyPage(() => import('./drafts-page.tsx'), 'DraftsPage'),
  }),
] as const;
