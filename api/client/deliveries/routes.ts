import { sendNotFound } from '../../../engine/kit/http/problem.ts';
import { callerOf } from '../../auth/caller.ts';
import { appAnswers, dataOf, security } from '../../http/answers.ts';
import { timestampOrNull } from '../../http/fields.ts';
import { addressOf, pageOf, pageOfQuery, paginate } from '../../http/page.ts';
import type { Scope } from '../../http/scope.ts';
import type { ClientDeps } from '../../ports/deps.ts';
import { whileWaiting } from '../../reads/reads.ts';
import { clicksOrNull } from '../analytics/clicks-or-null.ts';
import { appParams } from '../apps/routes.ts';
import { appOf } from '../own-app.ts';
import { cancelRoute } from './cancel/cancel-route.ts';
import { changeRoutes } from './change/routes.ts';
import { readCorrection } from './correction/read-correction.ts';
import { correctionRoute } from './correction/route.ts';
import { createRoute } from './create/create-route.ts';
import { createReadLeftAfter } from './create/left-after.ts';
import { type DeliverySort, deliveryFilters } from './list-schema.ts';
import { deliveryParams, parseDeliveryId } from './params.ts';
import { clicksRoute } from './progress/clicks-route.ts';
import { readEngagement } from './progress/engagement.ts';
import { progressRoute } from './progress/progress-route.ts';
import { readProgressSnapshot } from './progress/progress-snapshot.ts';
import { readServiceCosts } from './progress/service-costs.ts';
import { proposalRoute } from './proposal/route.ts';
import { deliveryResource } from './resource.ts';
import { deliveryDetailSchema, deliverySchema } from './schema.ts';
import { listDeliveries } from './store.ts';
import { traceRoute } from './trace/trace-route.ts';
import { warningsRoute } from './warnings/route.ts';

const tags = ['Deliveries'];
/** Before any delivery. */
const FIRST_DAY = '1970-01-01';
const isByClicks = (sort: DeliverySort | undefined): boolean =>
  sort === 'click_count' || sort === 'click_rate';

export function deliveryRoutes(scope: Scope, deps: ClientDeps): void {
  const { database, analytics, config } = deps;
  const readLeftAfter = createReadLeftAfter(database);

  scope.get(
    '/apps/:identifier/deliveries',
    {
      config: { ability: 'deliveries:read' },
      schema: {
        tags,
        summary: 'List deliveries',
        operationId: 'listDeliveries',
        description: 'Newest first, where no sort is given.',
        security,
        params: appParams,
        querystring: deliveryFilters,
        response: appAnswers({ 200: pageOf(deliverySchema) }),
      },
    },
    async (request, reply) => {
      const app = appOf(request);
      const page = pageOfQuery(request.query);
      const asked = { organizationId: callerOf(request).organizationId, signal: whileWaiting(reply) };
      const { rows, total, clicksOf } = await deps.reads.pass(asked, async (query) => {
        // Before the connection is taken: ClickHouse may be slow.
        const clicks = isByClicks(request.query.sort)
          ? await analytics.clicksSince(app.id, FIRST_DAY)
          : undefined;
        const found = await query((sql) => listDeliveries(sql, app.id, request.query, page, clicks));
        return { ...found, clicksOf: await clicksOrNull(analytics, request.log, app.id, found.rows) };
      });
      const resources = rows.map((row) => deliveryResource(row, clicksOf(row.id)));
      return paginate(resources, total, page, addressOf(request, config.publicBaseUrl));
    },
  );

  scope.get(
    '/apps/:identifier/deliveries/:delivery_id',
    {
      config: { ability: 'deliveries:read' },
      schema: {
        tags,
        summary: 'Read a delivery',
        operationId: 'getDelivery',
        description: 'Creating a delivery queues it: read it again to follow its status.',
        security,
        params: deliveryParams,
        response: appAnswers({ 200: dataOf(deliveryDetailSchema) }),
      },
    },
    async (request, reply) => {
      const app = appOf(request);
      const id = parseDeliveryId(request.params.delivery_id);
      if (id === null) return sendNotFound(reply);
      const snapshot = await readProgressSnapshot(database, app.id, id);
      if (snapshot === null) return sendNotFound(reply);
      const { delivery, forecast, services, failures, nextAttemptAt } = snapshot;
      const [engagement, costs, correction] = await Promise.all([
        readEngagement(analytics, request.log, app.id, delivery),
        readServiceCosts(analytics, request.log, app.id, delivery),
        readCorrection({ sql: database, analytics, log: request.log }, app.id, delivery),
      ]);
      const resource = deliveryResource(delivery, engagement === null ? null : engagement.clicked);
      return {
        data: {
          ...resource,
          engagement,
          forecast,
          push_services: services,
          push_service_costs: costs,
          failures,
          next_attempt_at: timestampOrNull(nextAttemptAt),
          correction,
          unsubscribed_within_48_hours: await readLeftAfter(app.id, delivery, Date.now()),
        },
      };
    },
  );

  createRoute(scope, deps);
  proposalRoute(scope, deps);
  warningsRoute(scope, deps);
  cancelRoute(scope, deps);
  correctionRoute(scope, deps);
  changeRoutes(scope, deps);
  progressRoute(scope, deps);
  traceRoute(scope, deps);
  clicksRoute(scope, deps);
}
