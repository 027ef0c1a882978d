import { Type } from 'typebox';
import { sendNotFound } from '../../../../engine/kit/http/problem.ts';
import { actorOf } from '../../../auth/audit.ts';
import { appAnswers, dataOf, security } from '../../../http/answers.ts';
import { addressOf } from '../../../http/page.ts';
import type { Scope } from '../../../http/scope.ts';
import type { Using } from '../../../ports/deps.ts';
import { appOf, appRoleOf } from '../../own-app.ts';
import { createReadDeliveryImage } from '../create/delivery-image.ts';
import { deliveryParams, parseDeliveryId } from '../params.ts';
import { deliveryResource } from '../resource.ts';
import { deliverySchema } from '../schema.ts';
import { sendRefusal } from '../send-refusal.ts';
import { findDelivery } from '../store.ts';
import { createChangeDelivery } from './change-delivery.ts';
import { deliveryChanges, versionSchema } from './schema.ts';
import { listVersions } from './store.ts';

const tags = ['Deliveries'];
const description = `Changes what a delivery says, and its time, until it starts. With \`scheduled_at: null\` it is sent now.
What it said before is kept (\`versions\`). Quiet hours are asked anew where a time changes. A delivery that has started, or
that belongs to a campaign, is refused with 422; one that waits in quiet hours by the clocks of readers may be changed. An
author changes only what they wrote and nobody has approved.`;

export function changeRoutes(
  scope: Scope,
  deps: Using<'database' | 'config' | 'wakeRelay' | 'publicAddresses'>,
): void {
  const { database, config, wakeRelay } = deps;
  const changeDelivery = createChangeDelivery({
    database,
    readImage: createReadDeliveryImage(database, deps.publicAddresses),
    wakeRelay,
    breakingPerDay: config.breakingPerDay,
  });

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
      const ending = await changeDelivery({
        app: appOf(request),
        id,
        body: request.body,
        actor: actorOf(request),
        role: appRoleOf(request),
        base: config.publicBaseUrl ?? addressOf(request, null).origin,
      });
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
