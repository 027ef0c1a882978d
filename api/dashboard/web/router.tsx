import { createRouter } from '@tanstack/react-router';
import { alertsRoutes } from './alerts/routes.ts';
import { analyticsRoutes } from './analytics/routes.ts';
import { oneAppRoutes } from './apps/one-app-routes.ts';
import { appsRoutes } from './apps/routes.ts';
import { calendarRoutes } from './calendar/routes.ts';
import { campaignsRoutes } from './campaigns/routes.ts';
import { categoriesRoutes } from './categories/routes.ts';
import { composeRoutes } from './compose/routes.ts';
import { deliveriesRoutes } from './deliveries/routes.ts';
import { draftsRoutes } from './drafts/routes.ts';
import { feedsRoutes } from './feeds/routes.ts';
import type { Services } from './http/services.tsx';
import { promptsRoutes } from './prompts/routes.ts';
import { reportsRoutes } from './reports/routes.ts';
import { segmentsRoutes } from './segments/routes.ts';
import { sessionRoutes } from './session/routes.ts';
import { settingsRoutes } from './settings/routes.ts';
import { Lines } from './shell/loading.tsx';
import { NotFoundPage, ProblemPage } from './shell/problem-page.tsx';
import { appRoute, insideRoute, rootRoute, settingsRoute } from './shell/routes.ts';
import { standingRoutes } from './standing/routes.ts';
import { subscribersRoutes } from './subscribers/routes.ts';
import { webhooksRoutes } from './webhooks/routes.ts';
import { welcomeRoutes } from './welcome/routes.ts';

/**
 * Every page: below `appRoute` those of one app, below `insideRoute` the others behind the log-in. In the order in which
 * their code is fetched ahead of time.
 */
const routes = rootRoute.addChildren([
  ...sessionRoutes,
  insideRoute.addChildren([
    appRoute.addChildren([
      ...oneAppRoutes,
      ...composeRoutes,
      ...deliveriesRoutes,
      ...campaignsRoutes,
      ...feedsRoutes,
      ...calendarRoutes,
      ...draftsRoutes,
      ...categoriesRoutes,
      ...subscribersRoutes,
      ...segmentsRoutes,
      ...analyticsRoutes,
      ...standingRoutes,
      ...promptsRoutes,
      ...welcomeRoutes,
    ]),
    ...appsRoutes,
    ...reportsRoutes,
    settingsRoute.addChildren([...settingsRoutes, ...alertsRoutes, ...webhooksRoutes]),
  ]),
]);

/** @param base the path of the dashboard, `/dashboard`. */
export const createDashboardRouter = (services: Services, base: string) =>
  createRouter({
    routeTree: routes,
    basepath: base,
    context: services,
    defaultPreload: 'intent',
    // The query cache decides what is fresh.
    defaultPreloadStaleTime: 0,
    scrollRestoration: true,
    defaultErrorComponent: ProblemPage,
    defaultNotFoundComponent: NotFoundPage,
    defaultPendingComponent: Lines,
    defaultPendingMs: 300,
  });

declare module '@tanstack/react-router' {
  interface Register {
    router: ReturnType<typeof createDashboardRouter>;
  }
}
