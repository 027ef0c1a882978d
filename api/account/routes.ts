import type { FastifyInstance } from 'fastify';
import { registerParameters } from '../../engine/adapters/http/validation.ts';
import { createAuthenticator } from '../auth/authenticate.ts';
import { registerCookies } from '../auth/session-cookie.ts';
import type { Scope } from '../client/scope.ts';
import type { ClientDeps } from '../ports/deps.ts';
import { registerAccountAccess } from './access.ts';
import { alertRoutes } from './alerts/routes.ts';
import { auditLogRoutes } from './audit-log/routes.ts';
import { breakingRoutes } from './breaking/routes.ts';
import { acceptRoutes } from './invitations/accept-routes.ts';
import { invitationRoutes } from './invitations/routes.ts';
import { meRoutes } from './me/routes.ts';
import { organizationRoutes } from './organizations/routes.ts';
import { createAccountParts } from './parts.ts';
import { passkeyLogInRoutes } from './passkeys/log-in-routes.ts';
import { ownPasskeyRoutes } from './passkeys/own-routes.ts';
import { passwordResetRoutes } from './password-reset/routes.ts';
import { providerLogInRoutes } from './provider/log-in-routes.ts';
import { providerSettingsRoutes } from './provider/settings-routes.ts';
import { reportTokenRoutes } from './report-tokens/routes.ts';
import { codeRoute } from './second-factor/log-in-route.ts';
import { ownFactorRoutes } from './second-factor/own-routes.ts';
import { factorRuleRoutes } from './second-factor/rule-routes.ts';
import { sessionRoutes } from './session/routes.ts';
import { ownSessionRoutes } from './sessions/routes.ts';
import { tokenRoutes } from './tokens/routes.ts';
import { userRoutes } from './users/routes.ts';

/** Account routes: by session, never by API token. */
export async function accountRoutes(app: FastifyInstance, deps: ClientDeps): Promise<void> {
  await app.register(
    async (plain) => {
      const scope: Scope = plain.withTypeProvider();
      const parts = createAccountParts(deps);
      registerParameters(plain);
      await registerCookies(plain);
      registerAccountAccess(plain, createAuthenticator(deps), deps.config.publicBaseUrl);
      sessionRoutes(scope, parts);
      codeRoute(scope, parts);
      ownFactorRoutes(scope, parts);
      factorRuleRoutes(scope, parts);
      ownPasskeyRoutes(scope, parts);
      passkeyLogInRoutes(scope, parts);
      providerLogInRoutes(scope, parts);
      providerSettingsRoutes(scope, parts);
      ownSessionRoutes(scope, parts);
      passwordResetRoutes(scope, parts);
      meRoutes(scope, parts);
      tokenRoutes(scope, parts);
      reportTokenRoutes(scope, parts);
      userRoutes(scope, parts);
      invitationRoutes(scope, parts);
      acceptRoutes(scope, parts);
      organizationRoutes(scope, parts);
      breakingRoutes(scope, parts);
      auditLogRoutes(scope, parts);
      alertRoutes(scope, parts);
    },
    { prefix: '/api/v1/account' },
  );
}
