import { createRoute } from '@tanstack/react-router';
import { rootRoute } from '../shell/routes.ts';
import { LogInPage } from './log-in-page.tsx';

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
    // With the first file: for most, the first page.
    component: LogInPage,
  }),
] as const;
