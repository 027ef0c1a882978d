import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { pageSearch } from '../shell/page-search.ts';
import { appRoute } from '../shell/routes.ts';
import { readSearch } from './search.ts';

export const subscribersRoutes = [
  createRoute({
    getParentRoute: () => appRoute,
    path: 'subscribers',
    validateSearch: readSearch,
    component: lazyRouteComponent(() => import('./list-page.tsx'), 'SubscribersPage'),
  }),
  createRoute({
    getParentRoute: () => appRoute,
    path: 'subscribers/$subscriber',
    validateSearch: pageSearch,
    component: lazyRouteComponent(() => import('./one-page.tsx'), 'SubscriberPage'),
  }),
  createRoute({
    getParentRoute: () => appRoute,
    path: 'subscribers/$subscriber/deliveries/$delivery',
    component: lazyRouteComponent(() => import('./trace-page.tsx'), 'TracePage'),
  }),
] as const;
