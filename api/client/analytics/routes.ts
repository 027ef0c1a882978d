import { callerOf } from '../../auth/bearer.ts';
import type { ApiDeps } from '../../deps.ts';
import { sendNotFound } from '../../plugins/problem.ts';
import { appAnswers, security } from '../answers.ts';
import { appParams } from '../apps/routes.ts';
import { findApp } from '../apps/store.ts';
import type { Scope } from '../scope.ts';
import { createCache } from './cache.ts';
import { createReadOverview } from './overview.ts';
import { type Overview, overviewSchema } from './schema.ts';

/** The specification's "about 5 minutes". */
const KEEP_MS = 300_000;
const MAX_APPS = 1_000;

export function analyticsRoutes(scope: Scope, deps: ApiDeps): void {
  const readOverview = createReadOverview(deps.database, deps.analytics);
  const remember = createCache<Overview>({ maxEntries: MAX_APPS, keepMs: KEEP_MS });

  scope.get(
    '/apps/:identifier/analytics/overview',
    {
      config: { ability: 'analytics:read' },
      schema: {
        tags: ['Analytics'],
        security,
        params: appParams,
        response: appAnswers({ 200: overviewSchema }),
      },
    },
    async (request, reply) => {
      const app = await findApp(deps.database, callerOf(request).organizationId, request.params.identifier);
      if (app === null) return sendNotFound(reply);
      return remember(String(app.id), () => readOverview(app.id));
    },
  );
}
