import { Type } from 'typebox';
import { sendNotFound } from '../../../../engine/kit/http/problem.ts';
import { appAnswers, dataOf, security } from '../../../http/answers.ts';
import type { Scope } from '../../../http/scope.ts';
import { appOf } from '../../own-app.ts';
import { deliveryParams, parseDeliveryId } from '../params.ts';
import { deliveryResource } from '../resource.ts';
import { deliverySchema } from '../schema.ts';
import { sendRefusal } from '../send-refusal.ts';
import { findDelivery } from '../store.ts';
import { createWriteDeps, type DepsOfWrite, orderOf } from '../write/order.ts';
import { createChangeDelivery } from './change-delivery.ts';
import { deliveryChanges, versionSchema } from './schema.ts';
import { listVersions } from './store.ts';

const tags = ['Deliveries'];
const description = `Changes what a delivery says, and its time, until it starts. With \`scheduled_at: null\` it is sent now.
What it said before is kept (\`versions\`). Quiet hours are asked anew where a time changes. A delivery that has started, or
that belongs to a campaign, is refused with 422; one that waits in quiet hours by the clocks of readers may be changed. An
author changes only what they wrote and nobody has approved.`;

export function changeRoutes(scope: Scope, deps: DepsOfWrite): void {
  const { database } = deps;
  const changeDelivery = createChangeDelivery(createWriteDeps(deps));

  scope.patch(
    '/apps/:identifier/deliveries/:delivery_id',
    {
      config: { ability: 'deliveries:write' },
      schema: {
        tags,
        summary: 'Change a delivery',
        operationId: 'changeDelivery',
        description,
        security,
        params: deliveryParams,
        body: deliveryChanges,
        response: appAnswers({ 200: dataOf(deliverySchema) }),
      },
    },
    async (request, reply) => {
      const id = parseDeliveryId(request.params.delivery_id);
      if (id === null) return sendNotFound(reply);
      const ending = await changeDelivery({ ...orderOf(request, deps.config), id, body: request.body });
      if (ending.kind !== 'changed') return sendRefusal(reply, ending);
      return { data: deliveryResource(ending.delivery, 0) };
    },
  );

  scope.get(
    '/apps/:identifier/deliveries/:delivery_id/versions',
    {
      config: { ability: 'deliveries:read' },
      schema: {
        tags,
        summary: 'List earlier versions',
        operationId: 'listDeliveryVersions',
        description: 'What a delivery said before each of its changes, oldest first; at most 100.',
        security,
        params: deliveryParams,
        response: appAnswers({ 200: dataOf(Type.Array(versionSchema)) }),
      },
    },
    async (request, reply) => {
      const { id: appId } = appOf(request);
      const id = parseDeliveryId(request.params.delivery_id);
      if (id === null || (await findDelivery(database, appId, id)) === null) return sendNotFound(reply);
      return { data: await listVersions(database, appId, id) };
    },
  );
}
