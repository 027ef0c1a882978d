import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { pageSearch } from '../shell/page-search.ts';
import { appRoute } from '../shell/routes.ts';

export const segmentsRoutes = [
  createRoute({
    getParentRoute: () => appRoute,
    path: 'segments',
    validateSearch: pageSearch,
    component: lazyRouteComponent(() => import('./list-page.tsx'), 'SegmentsPage'),
  }),
  createRoute({
    getParentRoute: () => appRoute,
    path: 'segments/new',
    component: lazyRouteComponent(() => import('./new-page.tsx'), 'NewSegmentPage'),
  }),
  createRoute({
    getParentRoute: () => appRoute,
    path: 'segments/$segment',
    component: lazyRouteComponent(() => import('./edit-page.tsx'), 'EditSegmentPage'),
  }),
] as const;
