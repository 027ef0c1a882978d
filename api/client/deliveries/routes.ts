import type { FastifyRequest } from 'fastify';
import { sendNotFound } from '../../../engine/adapters/http/problem.ts';
import { callerOf } from '../../auth/caller.ts';
import type { ClientDeps } from '../../deps.ts';
import { whileWaiting } from '../../reads/reads.ts';
import { clicksOrNull } from '../analytics/clicks-or-null.ts';
import { appAnswers, dataOf, security } from '../answers.ts';
import { appParams } from '../apps/routes.ts';
import { findApp, type StoredApp } from '../apps/store.ts';
import { addressOf, pageOf, pageOfQuery, paginate } from '../page.ts';
import type { Scope } from '../scope.ts';
import { cancelRoute } from './cancel-route.ts';
import { createRoute } from './create-route.ts';
import { readEngagement } from './engagement.ts';
import { deliveryParams, parseDeliveryId } from './params.ts';
import { progressRoute } from './progress-route.ts';
import { readProgressSnapshot } from './progress-snapshot.ts';
import { deliveryResource } from './resource.ts';
import { deliveryDetailSchema, deliveryFilters, deliverySchema } from './schema.ts';
import { listDeliveries } from './store.ts';
import { traceRoute } from './trace-route.ts';

const tags = ['Deliveries'];
export function deliveryRoutes(scope: Scope, deps: ClientDeps): void {
  const { database, analytics, config } = deps;
  const appOf = (request: FastifyRequest, identifier: string): Promise<StoredApp | null> =>
    findApp(database, callerOf(request).organizationId, identifier);

  scope.get(
    '/apps/:identifier/deliveries',
    {
      config: { ability: 'deliveries:read' },
      schema: {
        tags,
        summary: 'List deliveries',
        operationId: 'listDeliveries',
        description: 'Newest first.',
        security,
        params: appParams,
        querystring: deliveryFilters,
        response: appAnswers({ 200: pageOf(deliverySchema) }),
      },
    },
    async (request, reply) => {
      const app = await appOf(request, request.params.identifier);
      if (app === null) return sendNotFound(reply);
      const page = pageOfQuery(request.query);
      const asked = { organizationId: callerOf(request).organizationId, signal: whileWaiting(reply) };
      const { rows, total, clicksOf } = await deps.reads.pass(asked, async (query) => {
        const found = await query((sql) => listDeliveries(sql, app.id, request.query, page));
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
      const app = await appOf(request, request.params.identifier);
      const id = parseDeliveryId(request.params.delivery_id);
      if (app === null || id === null) return sendNotFound(reply);
      const snapshot = await readProgressSnapshot(database, app.id, id);
      if (snapshot === null) return sendNotFound(reply);
      const { delivery, forecast, services } = snapshot;
      const engagement = await readEngagement(analytics, request.log, app.id, delivery);
      const resource = deliveryResource(delivery, engagement === null ? null : engagement.clicked);
      return { data: { ...resource, engagement, forecast, push_services: services } };
    },
  );

  createRoute(scope, deps);
  cancelRoute(scope, deps);
  progressRoute(scope, deps);
  traceRoute(scope, deps);
}
