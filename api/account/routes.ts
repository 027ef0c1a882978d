import type { FastifyInstance } from 'fastify';
import { createGate } from '../auth/gate.ts';
import { registerCookies } from '../auth/session-cookie.ts';
import type { Scope } from '../client/scope.ts';
import type { ClientDeps } from '../deps.ts';
import { registerAccountAccess } from './access.ts';
import { auditLogRoutes } from './audit-log/routes.ts';
import { breakingRoutes } from './breaking/routes.ts';
import { acceptRoutes } from './invitations/accept-routes.ts';
import { invitationRoutes } from './invitations/routes.ts';
import { meRoutes } from './me/routes.ts';
import { organizationRoutes } from './organizations/routes.ts';
import { createAccountParts } from './parts.ts';
import { sessionRoutes } from './session/routes.ts';
import { tokenRoutes } from './tokens/routes.ts';
import { userRoutes } from './users/routes.ts';

/** What people do with their accounts: by session, never by API token. */
export async function accountRoutes(app: FastifyInstance, deps: ClientDeps): Promise<void> {
  await app.register(
    async (plain) => {
      const scope: Scope = plain.withTypeProvider();
      const parts = createAccountParts(deps);
      await registerCookies(plain);
      registerAccountAccess(plain, createGate(deps), deps.config.publicBaseUrl);
      sessionRoutes(scope, parts);
      meRoutes(scope, parts);
      tokenRoutes(scope, parts);
      userRoutes(scope, parts);
      invitationRoutes(scope, parts);
      acceptRoutes(scope, parts);
      organizationRoutes(scope, parts);
      breakingRoutes(scope, parts);
      auditLogRoutes(scope, parts);
    },
    { prefix: '/api/v1/account' },
  );
}
