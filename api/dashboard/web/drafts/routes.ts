import { createRoute } from '@tanstack/react-router';
import { lazyPage } from '../shell/lazy-page.ts';
import { appRoute } from '../shell/routes.ts';

export const draftsRoutes = [
  createRoute({
    getParentRoute: () => appRoute,
    path: 'drafts',
    component: lazyPage(() => import('./drafts-page.tsx'), 'DraftsPage'),
  }),
] as const;
