import { createRoute, redirect } from '@tanstack/react-router';
import { appsQuery } from '../data/apps/queries.ts';
import { pageSearch } from '../format/page-search.ts';
import { readLastApp } from '../frame/last-app.ts';
import { lazyPage } from '../frame/lazy-page.ts';
import { insideRoute } from '../frame/routes.ts';

/** The start, the list of apps and a new one. */
export const appsRoutes = [
  createRoute({
    getParentRoute: () => insideRoute,
    path: '/',
    beforeLoad: async ({ context: { api, queries } }) => {
      const { data } = await queries.ensureQueryData(appsQuery(api));
      const last = readLastApp();
      const app =
        data.find(({ identifier }) => identifier === last) ?? (data.length === 1 ? data[0] : undefined);
      if (app !== undefined)
        throw redirect({ to: '/apps/$app', params: { app: app.identifier }, replace: true });
      throw redirect({ to: data.length === 0 ? '/apps/new' : '/apps', replace: true });
    },
  }),
  createRoute({
    getParentRoute: () => insideRoute,
    path: '/apps',
    validateSearch: pageSearch,
    component: lazyPage(() => import('./apps-page.tsx'), 'AppsPage'),
  }),
  createRoute({
    getParentRoute: () => insideRoute,
    path: '/apps/new',
    component: lazyPage(() => import('./new-app-page.tsx'), 'NewAppPage'),
  }),
] as const;
