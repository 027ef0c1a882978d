import type { FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import { type DeliveryId, toId } from '../../../engine/contract/ids.ts';
import { callerOf } from '../../auth/bearer.ts';
import { createDeliveryProofs } from '../../auth/delivery-proof.ts';
import type { ApiDeps } from '../../deps.ts';
import { sendFieldErrors, sendNotFound } from '../../plugins/problem.ts';
import { clicksOrZero } from '../analytics/clicks-or-zero.ts';
import { appAnswers, dataOf, security } from '../answers.ts';
import { appParams } from '../apps/routes.ts';
import { findApp, type StoredApp } from '../apps/store.ts';
import { addressOf, pageOf, pageOfQuery, paginate } from '../page.ts';
import type { Scope } from '../scope.ts';
import { createCreateDelivery } from './create-delivery.ts';
import { deliveryResource } from './resource.ts';
import { deliveryBody, deliveryFilters, deliverySchema } from './schema.ts';
import { findDelivery, listDeliveries, type StoredDelivery } from './store.ts';

const tags = ['Deliveries'];
const deliveryParams = Type.Object({ identifier: Type.String(), delivery_id: Type.String() });

export function deliveryRoutes(scope: Scope, deps: ApiDeps): void {
  const { database, config, wakeRelay } = deps;
  const proofs = createDeliveryProofs(deps.masterKey);
  const createDelivery = createCreateDelivery({ database, proofs, wakeRelay });
  const appOf = (request: FastifyRequest, identifier: string): Promise<StoredApp | null> =>
    findApp(database, callerOf(request).organizationId, identifier);
  const clicksOf = (request: FastifyRequest, app: StoredApp, deliveries: readonly StoredDelivery[]) =>
    clicksOrZero(deps.analytics, request.log, app.id, deliveries);

  scope.get(
    '/apps/:identifier/deliveries',
    {
      config: { ability: 'deliveries:read' },
      schema: {
        tags,
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
      const { rows, total } = await listDeliveries(database, app.id, request.query, page);
      const clicks = await clicksOf(request, app, rows);
      const resources = rows.map((row) => deliveryResource(row, clicks.get(row.id) ?? 0));
      return paginate(resources, total, page, addressOf(request, config.publicBaseUrl));
    },
  );

  scope.get(
    '/apps/:identifier/deliveries/:delivery_id',
    {
      config: { ability: 'deliveries:read' },
      schema: {
        tags,
        security,
        params: deliveryParams,
        response: appAnswers({ 200: dataOf(deliverySchema) }),
      },
    },
    async (request, reply) => {
      const app = await appOf(request, request.params.identifier);
      const id = parseDeliveryId(request.params.delivery_id);
      if (app === null || id === null) return sendNotFound(reply);
      const delivery = await findDelivery(database, app.id, id);
      if (delivery === null) return sendNotFound(reply);
      const clicks = await clicksOf(request, app, [delivery]);
      return { data: deliveryResource(delivery, clicks.get(delivery.id) ?? 0) };
    },
  );

  scope.post(
    '/apps/:identifier/deliveries',
    {
      config: { ability: 'deliveries:write' },
      schema: {
        tags,
        security,
        params: appParams,
        body: deliveryBody,
        response: appAnswers({ 201: dataOf(deliverySchema) }),
      },
    },
    async (request, reply) => {
      const app = await appOf(request, request.params.identifier);
      if (app === null) return sendNotFound(reply);
      const ending = await createDelivery(app, request.body);
      if (ending.kind === 'refused') return sendFieldErrors(reply, ending.errors);
      return reply.code(201).send({ data: deliveryResource(ending.delivery, 0) });
    },
  );
}

/** What is no number names no delivery: 404, like a number that names none. */
function parseDeliveryId(text: string): DeliveryId | null {
  return /^[1-9]\d{0,14}$/.test(text) ? toId(text) : null;
}
