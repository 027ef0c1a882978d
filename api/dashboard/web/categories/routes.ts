import { createRoute } from '@tanstack/react-router';
import { pageSearch } from '../format/page-search.ts';
import { lazyPage } from '../frame/lazy-page.ts';
import { appRoute } from '../frame/routes.ts';

export const categoriesRoutes = [
  createRoute({
    getParentRoute: () => appRoute,
    path: 'categories',
    validateSearch: pageSearch,
    component: lazyPage(() => import('./categories-page.tsx'), 'CategoriesPage'),
  }),
] as const;
