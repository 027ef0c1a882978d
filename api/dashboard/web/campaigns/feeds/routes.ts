import { createRoute } from '@tanstack/react-router';
import { isId } from '../../format/is-id.ts';
import { lazyPage } from '../../frame/lazy-page.ts';
import { appRoute } from '../../frame/routes.ts';

export interface NewFeedSearch {
  /** The feed that it is like. */
  readonly like?: number;
}

export const feedsRoutes = [
  createRoute({
    getParentRoute: () => appRoute,
    path: 'feeds/new',
    validateSearch: ({ like }: Record<string, unknown>): NewFeedSearch => (isId(like) ? { like } : {}),
    component: lazyPage(() => import('./new-page.tsx'), 'NewFeedPage'),
  }),
  createRoute({
    getParentRoute: () => appRoute,
    path: 'feeds/$campaign',
    component: lazyPage(() => import('./change-page.tsx'), 'ChangeFeedPage'),
  }),
] as const;
