import { createRoute } from '@tanstack/react-router';
import { rootRoute } from '../frame/routes.ts';
import { LogInPage } from './log-in-page.tsx';

export interface LogInSearch {
  /** The page to go on with. */
  readonly back?: string;
  /** The session ended while a page was open. */
  readonly ended?: boolean;
  /** Of an organization's log-in address. */
  readonly organization?: string;
  /** Why a log-in by a provider failed. */
  readonly problem?: string;
  /** A provider let the user in, and a code completes the log-in. */
  readonly step?: 'code';
}

export const sessionRoutes = [
  createRoute({
    getParentRoute: () => rootRoute,
    path: '/log-in',
    validateSearch: ({ back, ended, organization, problem, step }: Record<string, unknown>): LogInSearch => ({
      ...(typeof back === 'string' ? { back } : {}),
      ...(ended === true ? { ended } : {}),
      ...(typeof organization === 'string' ? { organization } : {}),
      ...(typeof problem === 'string' ? { problem } : {}),
      ...(step === 'code' ? { step } : {}),
    }),
    // With the first file: for most, the first page.
    component: LogInPage,
  }),
] as const;
