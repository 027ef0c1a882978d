import { sendNotFound } from '../../../../engine/kit/http/problem.ts';
import { appAnswers, dataOf, security } from '../../../http/answers.ts';
import type { Scope } from '../../../http/scope.ts';
import { idempotencyHeaders, sendAnswer } from '../create/idempotency.ts';
import { deliveryParams, parseDeliveryId } from '../params.ts';
import { deliverySchema } from '../schema.ts';
import { sendRefusal } from '../send-refusal.ts';
import { createWriteDeps, type DepsOfWrite, orderOf } from '../write/order.ts';
import { createCorrectDelivery } from './correct-delivery.ts';
import { correctionBody } from './schema.ts';

const description = `Stops what is left of a delivery, and sends another text to exactly those whose push service accepted
it, whatever the segment, the category and the frequency cap say now. It passes quiet hours.

Browsers show it in place of the first one, and alert the reader again. Safari on iPhone and iPad ignores tags: there it stands
beside the first one.

It also goes to readers of whom nobody knows whether they got the first one: those whose messages an engine had in hand when it
died, or that a push service never answered. A reader of these who got nothing sees the corrected text alone.

It starts once the last messages of the first one are answered. Cancelling it leaves the first one stopped. A rehearsal, a test, a
delivery that has not started, and one that is corrected already are refused with 422.`;

export function correctionRoute(scope: Scope, deps: DepsOfWrite): void {
  const correctDelivery = createCorrectDelivery(createWriteDeps(deps));

  scope.post(
    '/apps/:identifier/deliveries/:delivery_id/correction',
    {
      config: { ability: 'deliveries:write', role: 'approver' },
      schema: {
        tags: ['Deliveries'],
        summary: 'Correct a delivery',
        operationId: 'correctDelivery',
        description,
        security,
        params: deliveryParams,
        headers: idempotencyHeaders,
        body: correctionBody,
        response: appAnswers({ 201: dataOf(deliverySchema) }),
      },
    },
    async (request, reply) => {
      const id = parseDeliveryId(request.params.delivery_id);
      if (id === null) return sendNotFound(reply);
      const ending = await correctDelivery({ ...orderOf(request, deps.config), id, body: request.body });
      return ending.kind === 'created' ? sendAnswer(reply, ending.answer) : sendRefusal(reply, ending);
    },
  );
}
