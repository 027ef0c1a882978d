import { createRoute } from '@tanstack/react-router';
import { lazyPage } from '../shell/lazy-page.ts';
import { appRoute } from '../shell/routes.ts';
import { isId, readSearch } from './search.ts';

export interface DeliverySearch {
  /** Whose trace is shown. */
  readonly subscriber?: number;
}

export const deliveriesRoutes = [
  createRoute({
    getParentRoute: () => appRoute,
    path: 'deliveries',
    validateSearch: readSearch,
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
