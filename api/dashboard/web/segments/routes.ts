import { createRoute } from '@tanstack/react-router';
import { pageSearch } from '../format/page-search.ts';
import { lazyPage } from '../frame/lazy-page.ts';
import { appRoute } from '../frame/routes.ts';

export const segmentsRoutes = [
  createRoute({
    getParentRoute: () => appRoute,
    path: 'segments',
    validateSearch: pageSearch,
    component: lazyPage(() => import('./list-page.tsx'), 'SegmentsPage'),
  }),
  createRoute({
    getParentRoute: () => appRoute,
    path: 'segments/new',
    component: lazyPage(() => import('./new-page.tsx'), 'NewSegmentPage'),
  }),
  createRoute({
    getParentRoute: () => appRoute,
    path: 'segments/$segment',
    component: lazyPage(() => import('./edit-page.tsx'), 'EditSegmentPage'),
  }),
] as const;
