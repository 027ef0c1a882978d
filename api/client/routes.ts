import type { FastifyInstance } from 'fastify';
import { registerParameters } from '../../engine/kit/http/validation.ts';
import { createAuthenticator } from '../auth/authenticate.ts';
import { registerClientAccess } from '../auth/client-access.ts';
import { registerCookies } from '../auth/session-cookie.ts';
import type { Scope } from '../http/scope.ts';
import type { ClientDeps } from '../ports/deps.ts';
import { analyticsRoutes } from './analytics/routes.ts';
import { approvalRoutes } from './approvals/routes.ts';
import { homeScreenRoute } from './apps/home-screen/route.ts';
import { pictureRoutes } from './apps/pictures/routes.ts';
import { appRoutes } from './apps/routes.ts';
import { unreachableRoute } from './apps/unreachable/route.ts';
import { calendarRoute } from './calendar/route.ts';
import { campaignRoutes } from './campaigns/routes.ts';
import { deliveryRoutes } from './deliveries/routes.ts';
import { categoryRoutes } from './delivery-categories/routes.ts';
import { draftRoutes } from './drafts/routes.ts';
import { registerOwnApp } from './own-app.ts';
import { peopleRoutes } from './people/routes.ts';
import { preferencesLinkRoute } from './preferences/link-route.ts';
import { promptRoutes } from './prompts/routes.ts';
import { segmentRoutes } from './segments/routes.ts';
import { standingRoutes } from './standing/routes.ts';
import { subscriptionRoutes } from './subscriptions/routes.ts';
import { testBrowserRoutes } from './test-browsers/routes.ts';
import { vapidKeyRoutes } from './vapid-keys/routes.ts';
import { webhookRoutes } from './webhooks/routes.ts';
import { welcomeRoutes } from './welcome/routes.ts';

/** The client API: every route below needs a caller with its ability. */
export async function clientRoutes(app: FastifyInstance, deps: ClientDeps): Promise<void> {
  await app.register(
    async (plain) => {
      const scope: Scope = plain.withTypeProvider();
      registerParameters(plain);
      await registerCookies(plain);
      registerClientAccess(plain, createAuthenticator(deps));
      registerOwnApp(plain, deps.database);
      appRoutes(scope, deps);
      homeScreenRoute(scope, deps);
      pictureRoutes(scope, deps);
      unreachableRoute(scope, deps);
      subscriptionRoutes(scope, deps);
      preferencesLinkRoute(scope, deps);
      peopleRoutes(scope, deps);
      deliveryRoutes(scope, deps);
      campaignRoutes(scope, deps);
      approvalRoutes(scope, deps);
      calendarRoute(scope, deps);
      draftRoutes(scope, deps);
      testBrowserRoutes(scope, deps);
      analyticsRoutes(scope, deps);
      standingRoutes(scope, deps);
      segmentRoutes(scope, deps);
      categoryRoutes(scope, deps);
      vapidKeyRoutes(scope, deps);
      promptRoutes(scope, deps);
      welcomeRoutes(scope, deps);
      webhookRoutes(scope, deps);
    },
    { prefix: '/api/v1/client' },
  );
}
