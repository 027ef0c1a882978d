import { createRoute } from '@tanstack/react-router';
import { seldomPage } from '../frame/lazy-page.ts';
import { appRoute } from '../frame/routes.ts';

/** How the site asks its readers. */
export const promptsRoutes = [
  createRoute({
    getParentRoute: () => appRoute,
    path: 'prompts',
    component: seldomPage(() => import('./prompts-page.tsx'), 'PromptsPage'),
  }),
] as const;
