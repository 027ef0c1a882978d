import type { FastifyInstance } from 'fastify';
import { registerBearer } from '../auth/bearer.ts';
import type { ApiDeps } from '../deps.ts';
import { analyticsRoutes } from './analytics/routes.ts';
import { appRoutes } from './apps/routes.ts';
import { deliveryRoutes } from './deliveries/routes.ts';
import type { Scope } from './scope.ts';

/** The client API: every route below needs a token with the ability it names. */
export async function clientRoutes(app: FastifyInstance, deps: ApiDeps): Promise<void> {
  await app.register(
    async (plain) => {
      const scope: Scope = plain.withTypeProvider();
      registerBearer(plain, deps.database);
      appRoutes(scope, deps);
      deliveryRoutes(scope, deps);
      analyticsRoutes(scope, deps);
    },
    { prefix: '/api/v1/client' },
  );
}
