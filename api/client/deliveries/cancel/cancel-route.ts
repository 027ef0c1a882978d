import { sendFieldErrors, sendNotFound } from '../../../../engine/kit/http/problem.ts';
import { actorOf } from '../../../auth/audit.ts';
import { appAnswers, dataOf, security } from '../../../http/answers.ts';
import type { Scope } from '../../../http/scope.ts';
import type { Using } from '../../../ports/deps.ts';
import { clicksOrNull } from '../../analytics/clicks-or-null.ts';
import { appOf, appRoleOf } from '../../own-app.ts';
import { deliveryParams, parseDeliveryId } from '../params.ts';
import { deliveryResource } from '../resource.ts';
import { deliverySchema } from '../schema.ts';
import { createCancelDelivery } from './cancel-delivery.ts';

export function cancelRoute(scope: Scope, { database, analytics }: Using<'database' | 'analytics'>): void {
  const cancelDelivery = createCancelDelivery(database);

  scope.post(
    '/apps/:identifier/deliveries/:delivery_id/cancel',
    {
      config: { ability: 'deliveries:write' },
      schema: {
        tags: ['Deliveries'],
        summary: 'Cancel a delivery',
        operationId: 'cancelDelivery',
        description:
          'Messages that no push service has yet are not sent. A delivery that has completed, or is cancelled ' +
          'already, is refused with 422. An author cancels only what they wrote and nobody has approved. No body is sent.',
        security,
        params: deliveryParams,
        response: appAnswers({ 200: dataOf(deliverySchema) }),
      },
    },
    async (request, reply) => {
      const app = appOf(request);
      const id = parseDeliveryId(request.params.delivery_id);
      if (id === null) return sendNotFound(reply);
      const ending = await cancelDelivery(actorOf(request), appRoleOf(request), app.id, id);
      if (ending.kind === 'missing') return sendNotFound(reply);
      if (ending.kind === 'refused') return sendFieldErrors(reply, ending.errors);
      const { delivery } = ending;
      const clicksOf = await clicksOrNull(analytics, request.log, app.id, [delivery]);
      return { data: deliveryResource(delivery, clicksOf(delivery.id)) };
    },
  );
}
