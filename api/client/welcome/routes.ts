import type { FastifyRequest } from 'fastify';
import { logFailure } from '../../../engine/kit/roles/log-failure.ts';
import { appRankOf } from '../../auth/app-roles.ts';
import { noteChange } from '../../auth/audit.ts';
import { appAnswers, dataOf, security } from '../../http/answers.ts';
import { timestampOrNull } from '../../http/fields.ts';
import type { Scope } from '../../http/scope.ts';
import { AnalyticsAway } from '../../ports/analytics.ts';
import type { ApiDeps, Using } from '../../ports/deps.ts';
import { createRemember } from '../analytics/remember.ts';
import { noteImageBase } from '../apps/pictures/keep-pictures.ts';
import { appParams } from '../apps/routes.ts';
import { prepareDelivery } from '../deliveries/create/create-delivery.ts';
import { sendRefusal } from '../deliveries/send-refusal.ts';
import { createWriteDeps, type DepsOfWrite, orderOf } from '../deliveries/write/order.ts';
import { appOf } from '../own-app.ts';
import { readResults, readSent } from './results.ts';
import { type WelcomeResource, welcomeBody, welcomeSchema } from './schema.ts';
import { countWaiting, readWelcome, type StoredWelcome, writeWelcome } from './store.ts';

const tags = ['Apps'];
const url = '/apps/:identifier/welcome';

/** What an app's new subscribers get, once each. */
export function welcomeRoutes(scope: Scope, deps: ApiDeps): void {
  const resource = createResource(deps);
  scope.get(
    url,
    {
      config: { ability: 'deliveries:read' },
      schema: {
        tags,
        summary: 'Read the welcome of new subscribers',
        operationId: 'getWelcome',
        description:
          'With what the welcomes of 30 days did. They count here alone: not in the figures of the app, nor among its deliveries except for `source_type=welcome`.',
        security,
        params: appParams,
        response: appAnswers({ 200: dataOf(welcomeSchema) }),
      },
    },
    async (request) => ({
      data: await resource(request, await readWelcome(deps.database, appOf(request).id)),
    }),
  );
  writeRoute(scope, deps, resource);
}

type Resource = ReturnType<typeof createResource>;

function createResource({ database, analytics }: Using<'database' | 'analytics'>) {
  const remember = createRemember(database);
  return async (request: FastifyRequest, welcome: StoredWelcome): Promise<WelcomeResource> => {
    const { id } = appOf(request);
    const results = await remember(id, 'welcome figures', () => readResults(database, analytics, id)).catch(
      (error: unknown) => {
        if (!(error instanceof AnalyticsAway)) throw error;
        logFailure(request.log, error, 'reactions to welcomes are unknown: ClickHouse is unavailable');
        return readSent(database, id);
      },
    );
    return {
      ...welcome,
      updated_at: timestampOrNull(welcome.updated_at),
      waiting: await countWaiting(database, id),
      results,
    };
  };
}

function writeRoute(scope: Scope, deps: DepsOfWrite, resource: Resource): void {
  const { database, config } = deps;
  const prepare = createWriteDeps(deps);
  scope.put(
    url,
    {
      config: { ability: 'deliveries:write', role: 'approver' },
      schema: {
        tags,
        summary: 'Set the welcome of new subscribers',
        operationId: 'setWelcome',
        description:
          'Goes once to each browser that subscribes on the site from now on: not to imported ones, not after an update or a move, and not to a reader who comes back within 30 days. Who waits already gets what is written here, and nobody once it is switched off. Where the app asks for approvals, admins alone may set it.',
        security,
        params: appParams,
        body: welcomeBody,
        response: appAnswers({ 200: dataOf(welcomeSchema) }),
      },
    },
    async (request, reply) => {
      const { body } = request;
      const order = orderOf(request, config);
      const { app, role, actor } = order;
      if (app.approval !== 'none' && appRankOf(role) < appRankOf('admin'))
        return sendRefusal(reply, { kind: 'forbidden', message: ADMINS });
      const { title, body: text, url: link, image_url: image, icon_url: icon } = body;
      const asked = await prepareDelivery(prepare, {
        ...order,
        body: {
          ...{ name: title, title, body: text, url: link },
          ...(image && { image_url: image }),
          ...(icon && { icon_url: icon }),
        },
        uploads: {},
        traceparent: null,
      });
      if (asked.kind !== 'prepared') return sendRefusal(reply, asked);
      const { images, wanted } = asked;
      const stored = await database.transaction(async (sql) => {
        await noteImageBase(sql, app.id, order.base);
        const written = await writeWelcome(sql, app.id, body, { ...wanted, images });
        await noteChange(sql, actor, {
          action: 'welcome.updated',
          subjectId: app.identifier,
          ...{ appId: app.id, detail: { enabled: body.enabled, title } },
        });
        return written;
      });
      return { data: await resource(request, stored) };
    },
  );
}

const ADMINS = 'The app asks for approvals: its welcome, which nobody approves, is set by admins.';
