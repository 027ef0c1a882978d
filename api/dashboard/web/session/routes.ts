import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { rootRoute } from '../shell/routes.ts';

export interface LogInSearch {
  /** The page to go on with. */
  readonly back?: string;
  /** The session ended while a page was open. */
  readonly ended?: boolean;
}

export const sessionRoutes = [
  createRoute({
    getParentRoute: () => rootRoute,
    path: '/log-in',
    validateSearch: ({ back, ended }: Record<string, unknown>): LogInSearch => ({
      ...(typeof back === 'string' ? { back } : {}),
      ...(ended === true ? { ended } : {}),
    }),
    component: lazyRouteComponent(() => import('./log-in-page.tsx'), 'LogInPage'),
  }),
] as const;
