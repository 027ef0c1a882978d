import { createRoute } from '@tanstack/react-router';
import type { DeliveriesSearch } from '../data/deliveries/search.ts';
import { isId } from '../format/is-id.ts';
import { lazyPage } from '../frame/lazy-page.ts';
import { appRoute } from '../frame/routes.ts';

export interface DeliverySearch {
  /** Whose trace is shown. */
  readonly subscriber?: number;
}

export const deliveriesRoutes = [
  createRoute({
    getParentRoute: () => appRoute,
    path: 'deliveries',
    // The page reads it: this is in the first script that a browser loads.
    validateSearch: (given: Record<string, unknown>): DeliveriesSearch => given,
    component: lazyPage(() => import('./list-page.tsx'), 'DeliveriesPage'),
  }),
  createRoute({
    getParentRoute: () => appRoute,
    path: 'deliveries/$delivery',
    validateSearch: ({ subscriber }: Record<string, unknown>): DeliverySearch =>
      isId(subscriber) ? { subscriber } : {},
    component: lazyPage(() => import('./delivery-page.tsx'), 'DeliveryPage'),
  }),
] as const;
