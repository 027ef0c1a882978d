import { createRoute } from '@tanstack/react-router';
import { pageSearch } from '../format/page-search.ts';
import { lazyPage } from '../frame/lazy-page.ts';
import { settingsRoute } from '../frame/routes.ts';

/** Tokens of the API and of reports. */
export const tokensRoutes = [
  createRoute({
    getParentRoute: () => settingsRoute,
    path: 'tokens',
    validateSearch: pageSearch,
    component: lazyPage(() => import('./tokens-page.tsx'), 'TokensPage'),
  }),
] as const;
