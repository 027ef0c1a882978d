import { createRootRouteWithContext, createRoute, Outlet, redirect } from '@tanstack/react-router';
import { meQuery } from '../data/account/queries.ts';
import { appQuery } from '../data/apps/queries.ts';
import { Problem } from '../data/http/problem.ts';
import type { Services } from '../data/http/services.tsx';
import { loadHomeTexts } from '../texts/t.ts';
import { homePage } from './lazy-page.ts';
import { NotFoundPage, NowherePage } from './problem-page.tsx';

/** The parent routes. They import no page, nor the frame, which the log-in has not: pages are loaded on navigation. */
export const rootRoute = createRootRouteWithContext<Services>()({
  component: Outlet,
  notFoundComponent: NowherePage,
});

/** Everything behind the log-in. */
export const insideRoute = createRoute({
  getParentRoute: () => rootRoute,
  id: 'in',
  beforeLoad: async ({ context: { api, queries, hasSessionEnded }, location }) => {
    // While the session is asked for: the frame needs them.
    void loadHomeTexts().catch(() => undefined);
    try {
      const { second_factor } = await queries.ensureQueryData(meQuery(api));
      // Nothing else can be done before.
      if (second_factor === 'required' && location.pathname !== '/settings/account')
        throw redirect({ to: '/settings/account' });
    } catch (error) {
      if (!(error instanceof Problem) || error.status !== 401) throw error;
      const back = location.href === '/' ? {} : { back: location.href };
      throw redirect({ to: '/log-in', search: hasSessionEnded() ? { ...back, ended: true } : back });
    }
  },
  component: homePage(() => import('./shell.tsx'), 'Shell'),
  notFoundComponent: NotFoundPage,
});

/** Everything of one app: `/apps/<identifier>/…`. */
export const appRoute = createRoute({
  getParentRoute: () => insideRoute,
  path: 'apps/$app',
  loader: ({ context: { api, queries }, params }) => queries.ensureQueryData(appQuery(api, params.app)),
  component: Outlet,
});

export const settingsRoute = createRoute({
  getParentRoute: () => insideRoute,
  path: 'settings',
  component: Outlet,
});
