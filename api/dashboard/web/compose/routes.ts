import { createRoute } from '@tanstack/react-router';
import { isId } from '../format/is-id.ts';
import { lazyPage } from '../frame/lazy-page.ts';
import { appRoute } from '../frame/routes.ts';

export interface ComposeSearch {
  /** The delivery that is copied. */
  readonly from?: number;
  /** The campaign that is copied. */
  readonly like?: number;
  /** The campaign that is changed. */
  readonly change?: number;
  /** The team's draft that is written on. */
  readonly draft?: number;
  /** When it is sent, in milliseconds since 1970. */
  readonly at?: number;
  /** The segment that it goes to. */
  readonly segment?: number;
  /** The template that it begins with. */
  readonly template?: number;
}

export const composeRoutes = [
  createRoute({
    getParentRoute: () => appRoute,
    path: 'compose',
    // All of them are numbers; other ones mean nothing. This is in the first script that a browser loads.
    validateSearch: (given: Record<string, unknown>): ComposeSearch =>
      Object.fromEntries(Object.entries(given).filter(([, value]) => isId(value))),
    component: lazyPage(() => import('./compose-page.tsx'), 'ComposePage'),
  }),
] as const;
