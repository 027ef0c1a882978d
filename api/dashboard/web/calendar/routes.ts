import { createRoute } from '@tanstack/react-router';
import { lazyPage } from '../frame/lazy-page.ts';
import { appRoute } from '../frame/routes.ts';

export interface CalendarSearch {
  readonly view?: 'month' | 'week';
  /** One of the days that are shown; today's when left out. */
  readonly day?: string;
}

export const calendarRoutes = [
  createRoute({
    getParentRoute: () => appRoute,
    path: 'calendar',
    // This is in the first script that a browser loads: the page makes the best of what people write here.
    validateSearch: (given: Record<string, unknown>): CalendarSearch => given,
    component: lazyPage(() => import('./calendar-page.tsx'), 'CalendarPage'),
  }),
] as const;
