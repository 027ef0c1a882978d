import { createRoute } from '@tanstack/react-router';
import { lazyPage } from '../shell/lazy-page.ts';
import { pageSearch } from '../shell/page-search.ts';
import { appRoute } from '../shell/routes.ts';
import { readSearch } from './search.ts';

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
