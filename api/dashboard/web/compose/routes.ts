import { createRoute } from '@tanstack/react-router';
import { isId } from '../deliveries/search.ts';
import { lazyPage } from '../shell/lazy-page.ts';
import { appRoute } from '../shell/routes.ts';

export interface ComposeSearch {
  /** The delivery that is copied. */
  readonly from?: number;
  /** The campaign that is copied. */
  readonly like?: number;
  /** The campaign that is changed. */
  readonly change?: number;
  /** The team's draft that is written on. */
  readonly draft?: number;
  /** The template that it begins with. */
  readonly template?: number;
}

export const composeRoutes = [
  createRoute({
    getParentRoute: () => appRoute,
    path: 'compose',
    validateSearch: ({ from, like, change, draft, template }: Record<string, unknown>): ComposeSearch => ({
      ...(isId(from) ? { from } : {}),
      ...(isId(like) ? { like } : {}),
      ...(isId(change) ? { change } : {}),
      ...(isId(draft) ? { draft } : {}),
      ...(isId(template) ? { template } : {}),
    }),
    component: lazyPage(() => import('./compose-page.tsx'), 'ComposePage'),
  }),
] as const;
