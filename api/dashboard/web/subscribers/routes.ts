import { createRoute } from '@tanstack/react-router';
import { readSearch } from '../data/subscribers/search.ts';
import { pageSearch } from '../format/page-search.ts';
import { lazyPage } from '../frame/lazy-page.ts';
import { appRoute } from '../frame/routes.ts';

export const subscribersRoutes = [
  createRoute({
    getParentRoute: () => appRoute,
    path: 'subscribers',
    validateSearch: readSearch,
    component: lazyPage(() => import('./list-page.tsx'), 'SubscribersPage'),
  }),
  createRoute({
    getParentRoute: () => appRoute,
    path: 'subscribers/$subscriber',
    validateSearch: pageSearch,
    component: lazyPage(() => import('./one-page.tsx'), 'SubscriberPage'),
  }),
  createRoute({
    getParentRoute: () => appRoute,
    path: 'subscribers/$subscriber/deliveries/$delivery',
    component: lazyPage(() => import('./trace-page.tsx'), 'TracePage'),
  }),
] as const;
