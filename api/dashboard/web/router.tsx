import { createRouter } from '@tanstack/react-router';
import { accountRoutes } from './account/routes.ts';
import { alertsRoutes } from './alerts/routes.ts';
import { analyticsRoutes } from './analytics/routes.ts';
import { oneAppRoutes } from './apps/one-app-routes.ts';
import { appsRoutes } from './apps/routes.ts';
import { auditLogRoutes } from './audit-log/routes.ts';
import { calendarRoutes } from './calendar/routes.ts';
import { feedsRoutes } from './campaigns/feeds/routes.ts';
import { campaignsRoutes } from './campaigns/routes.ts';
import { categoriesRoutes } from './categories/routes.ts';
import { composeRoutes } from './compose/routes.ts';
import type { Services } from './data/http/services.tsx';
import { deliveriesRoutes } from './deliveries/routes.ts';
import { draftsRoutes } from './drafts/routes.ts';
import { NotFoundPage, ProblemPage } from './frame/problem-page.tsx';
import { appRoute, insideRoute, rootRoute, settingsRoute } from './frame/routes.ts';
import { sessionRoutes } from './log-in/routes.ts';
import { organizationsRoutes } from './organizations/routes.ts';
import { overviewRoutes } from './overview/routes.ts';
import { promptsRoutes } from './prompts/routes.ts';
import { reportsRoutes } from './reports/routes.ts';
import { segmentsRoutes } from './segments/routes.ts';
import { standingRoutes } from './standing/routes.ts';
import { subscribersRoutes } from './subscribers/routes.ts';
import { teamRoutes } from './team/routes.ts';
import { tokensRoutes } from './tokens/routes.ts';
import { Lines } from './ui/loading.tsx';
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
      ...overviewRoutes,
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
    settingsRoute.addChildren([
      ...tokensRoutes,
      ...teamRoutes,
      ...auditLogRoutes,
      ...organizationsRoutes,
      ...accountRoutes,
      ...alertsRoutes,
      ...webhooksRoutes,
    ]),
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
