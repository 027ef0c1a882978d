import { createRoute } from '@tanstack/react-router';
import { teamSearch } from '../data/organization/search.ts';
import { lazyPage } from '../frame/lazy-page.ts';
import { settingsRoute } from '../frame/routes.ts';

/** The people of an organization, how they log in, and its rules for them. */
export const teamRoutes = [
  createRoute({
    getParentRoute: () => settingsRoute,
    path: 'team',
    validateSearch: teamSearch,
    component: lazyPage(() => import('./team-page.tsx'), 'TeamPage'),
  }),
] as const;
