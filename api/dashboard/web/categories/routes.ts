import { createRoute } from '@tanstack/react-router';
import { lazyPage } from '../shell/lazy-page.ts';
import { pageSearch } from '../shell/page-search.ts';
import { appRoute } from '../shell/routes.ts';

export const categoriesRoutes = [
  createRoute({
    getParentRoute: () => appRoute,
    path: 'categories',
    validateSearch: pageSearch,
    component: lazyPage(() => import('./categories-page.tsx'), 'CategoriesPage'),
  }),
] as const;
