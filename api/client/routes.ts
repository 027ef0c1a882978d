import type { FastifyInstance } from 'fastify';
import { registerClientAccess } from '../auth/client-access.ts';
import { createGate } from '../auth/gate.ts';
import { registerCookies } from '../auth/session-cookie.ts';
import type { ClientDeps } from '../deps.ts';
import { analyticsRoutes } from './analytics/routes.ts';
import { appRoutes } from './apps/routes.ts';
import { deliveryRoutes } from './deliveries/routes.ts';
import { categoryRoutes } from './delivery-categories/routes.ts';
import type { Scope } from './scope.ts';
import { segmentRoutes } from './segments/routes.ts';
import { subscriptionRoutes } from './subscriptions/routes.ts';
import { vapidKeyRoutes } from './vapid-keys/routes.ts';

/** The client API: every route below needs a caller who holds the ability it names. */
export async function clientRoutes(app: FastifyInstance, deps: ClientDeps): Promise<void> {
  await app.register(
    async (plain) => {
      const scope: Scope = plain.withTypeProvider();
      await registerCookies(plain);
      registerClientAccess(plain, createGate(deps));
      appRoutes(scope, deps);
      subscriptionRoutes(scope, deps);
      deliveryRoutes(scope, deps);
      analyticsRoutes(scope, deps);
      segmentRoutes(scope, deps);
      categoryRoutes(scope, deps);
      vapidKeyRoutes(scope, deps);
    },
    { prefix: '/api/v1/client' },
  );
}
