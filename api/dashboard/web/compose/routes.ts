import { createRoute } from '@tanstack/react-router';
import { isId } from '../deliveries/search.ts';
import { lazyPage } from '../shell/lazy-page.ts';
import { appRoute } from '../shell/routes.ts';

export interface ComposeSearch {
  /** The delivery that is copied. */
  readonly from?: number;
}

export const composeRoutes = [
  createRoute({
    getParentRoute: () => appRoute,
    path: 'compose',
    validateSearch: ({ from }: Record<string, unknown>): ComposeSearch => (isId(from) ? { from } : {}),
    component: lazyPage(() => import('./compose-page.tsx'), 'ComposePage'),
  }),
] as const;
