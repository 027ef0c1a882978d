import { createRoute } from '@tanstack/react-router';
import { lazyPage } from '../shell/lazy-page.ts';
import { appRoute } from '../shell/routes.ts';
import { readSearch } from './search.ts';

export const campaignsRoutes = [
  createRoute({
    getParentRoute: () => appRoute,
    path: 'campaigns',
    validateSearch: readSearch,
    component: lazyPage(() => import('./list-page.tsx'), 'CampaignsPage'),
  }),
  createRoute({
    getParentRoute: () => appRoute,
    path: 'campaigns/$campaign',
    component: lazyPage(() => import('./campaign-page.tsx'), 'CampaignPage'),
  }),
] as const;
