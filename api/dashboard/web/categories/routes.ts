import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { pageSearch } from '../shell/page-search.ts';
import { appRoute } from '../shell/routes.ts';

export const categoriesRoutes = [
  createRoute({
    getParentRoute: () => appRoute,
    path: 'categories',
    validateSearch: pageSearch,
    component: lazyRouteComponent(() => import('./categories-page.tsx'), 'CategoriesPage'),
  }),
] as const;
