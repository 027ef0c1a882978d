import type { FastifyInstance } from 'fastify';
import { registerParameters } from '../../engine/kit/http/validation.ts';
import { createAuthenticator } from '../auth/authenticate.ts';
import { registerCookies } from '../auth/session-cookie.ts';
import type { Scope } from '../http/scope.ts';
import type { ClientDeps } from '../ports/deps.ts';
import { registerAccountAccess } from './access.ts';
import { passkeyLogInRoutes } from './log-in/passkeys/log-in-routes.ts';
import { ownPasskeyRoutes } from './log-in/passkeys/own-routes.ts';
import { sessionRoutes } from './log-in/password/routes.ts';
import { passwordResetRoutes } from './log-in/password-reset/routes.ts';
import { providerLogInRoutes } from './log-in/provider/log-in-routes.ts';
import { providerSettingsRoutes } from './log-in/provider/settings-routes.ts';
import { codeRoute } from './log-in/second-factor/log-in-route.ts';
import { ownFactorRoutes } from './log-in/second-factor/own-routes.ts';
import { factorRuleRoutes } from './log-in/second-factor/rule-routes.ts';
import { alertRoutes } from './organization/alerts/routes.ts';
import { auditLogRoutes } from './organization/audit-log/routes.ts';
import { breakingRoutes } from './organization/breaking/routes.ts';
import { acceptRoutes } from './organization/invitations/accept-routes.ts';
import { invitationRoutes } from './organization/invitations/routes.ts';
import { organizationRoutes } from './organization/organizations/routes.ts';
import { reportTokenRoutes } from './organization/report-tokens/routes.ts';
import { userRoutes } from './organization/users/routes.ts';
import { meRoutes } from './own/me/routes.ts';
import { ownSessionRoutes } from './own/sessions/routes.ts';
import { tokenRoutes } from './own/tokens/routes.ts';
import { createAccountParts } from './parts.ts';

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
