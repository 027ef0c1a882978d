import { createRoute } from '@tanstack/react-router';
import { readSearch } from '../data/campaigns/search.ts';
import { lazyPage } from '../frame/lazy-page.ts';
import { appRoute } from '../frame/routes.ts';

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
