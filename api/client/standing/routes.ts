import { chromeGuardDefaults } from '../../../engine/contract/chrome-guard.ts';
import { sendFieldErrors } from '../../../engine/kit/http/problem.ts';
import { callerOf } from '../../auth/caller.ts';
import { appAnswers, dataOf, security } from '../../http/answers.ts';
import type { Scope } from '../../http/scope.ts';
import type { ClientDeps, Using } from '../../ports/deps.ts';
import { whileWaiting, whoeverWaits } from '../../reads/reads.ts';
import { createRemember } from '../analytics/remember.ts';
import { appParams } from '../apps/routes.ts';
import { appOf } from '../own-app.ts';
import { readAudience } from '../segments/preview.ts';
import { previewBody } from '../segments/schema.ts';
import { countNearLimit } from './near-limit.ts';
import { readStandingOfReaders } from './read-readers.ts';
import { readStanding } from './read-standing.ts';
import { nearLimitSchema, standingReadersSchema } from './readers-schema.ts';
import { standingSchema } from './schema.ts';

const tags = ['Standing'];
/** As for the count of an audience. */
const COUNT_LIMIT_MS = 5_000;

/** How push services and browsers treat an app, and what they judge it by. */
export function standingRoutes(scope: Scope, deps: ClientDeps): void {
  serviceRoute(scope, deps);
  readersRoute(scope, deps);
  nearLimitRoute(scope, deps);
}

function serviceRoute(scope: Scope, { database }: Using<'database'>): void {
  scope.get(
    '/apps/:identifier/standing',
    {
      config: { ability: 'apps:read' },
      schema: {
        tags,
        summary: 'Read how push services treat an app',
        operationId: 'getStanding',
        description:
          'Chrome limits sites that it judges disruptive to about 1,000 messages a minute. Broadside finds out by the answers, and then sends no faster.',
        security,
        params: appParams,
        response: appAnswers({ 200: dataOf(standingSchema) }),
      },
    },
    async (request) => ({ data: await readStanding(database, appOf(request)) }),
  );
}

function readersRoute(scope: Scope, { database, reads }: Using<'database' | 'reads'>): void {
  const remember = createRemember(database);
  scope.get(
    '/apps/:identifier/standing/readers',
    {
      config: { ability: 'analytics:read' },
      schema: {
        tags,
        summary: 'Read what browsers judge an app by',
        operationId: 'getStandingOfReaders',
        description: 'At most 5 minutes old.',
        security,
        params: appParams,
        response: appAnswers({ 200: dataOf(standingReadersSchema) }),
      },
    },
    async (request) => {
      const app = appOf(request);
      // Goes on when its client disconnects, as analytics do: the answer is kept, and others may wait for it.
      const asked = { organizationId: callerOf(request).organizationId, signal: whoeverWaits };
      const question = `standing of readers ${JSON.stringify(app.chrome_guard)}`;
      const data = await remember(app.id, question, () =>
        reads.pass(asked, (query) => query((sql) => readStandingOfReaders(sql, app))),
      );
      return { data };
    },
  );
}

function nearLimitRoute(scope: Scope, { reads, analytics }: Using<'reads' | 'analytics'>): void {
  scope.post(
    '/apps/:identifier/standing/near-limit',
    {
      config: { ability: 'subscriptions:read' },
      schema: {
        tags,
        summary: 'Count readers near Chrome’s limit',
        operationId: 'countNearLimit',
        description:
          'Of the audience that a delivery with these rules, in this category, would have now: readers on Chrome without a ' +
          'visit or click whom the next notifications could cost the permission. Counts that take longer than 5 seconds are ' +
          'cancelled with 503.',
        security,
        params: appParams,
        body: previewBody,
        response: appAnswers({ 200: dataOf(nearLimitSchema) }),
      },
    },
    async (request, reply) => {
      const app = appOf(request);
      const { organizationId } = callerOf(request);
      const asked = { organizationId, signal: whileWaiting(reply), limitMs: COUNT_LIMIT_MS };
      const ending = await reads.pass(asked, async (query) => {
        const audience = await readAudience({ query, analytics }, app, request.body);
        if (audience.kind === 'refused') return audience;
        const guard = app.chrome_guard ?? chromeGuardDefaults;
        const count = await query((sql) => countNearLimit(sql, app.id, guard, audience));
        return { kind: 'counted' as const, count };
      });
      if (ending.kind === 'refused') return sendFieldErrors(reply, ending.errors);
      return { data: { ...ending.count, guarded: app.chrome_guard !== null } };
    },
  );
}
