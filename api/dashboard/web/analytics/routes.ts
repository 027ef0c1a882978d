import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { appRoute } from '../shell/routes.ts';
import { type AnalyticsSearch, DEFAULT_DAYS, isPeriod } from './period.ts';

export const analyticsRoutes = [
  createRoute({
    getParentRoute: () => appRoute,
    path: 'analytics',
    validateSearch: ({ days, currency }: Record<string, unknown>): AnalyticsSearch => ({
      ...(isPeriod(days) && days !== DEFAULT_DAYS ? { days } : {}),
      ...(currency === 'USD' ? { currency } : {}),
    }),
    component: lazyRouteComponent(() => import('./analytics-page.tsx'), 'AnalyticsPage'),
  }),
] as const;
