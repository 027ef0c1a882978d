import multipart from '@fastify/multipart';
import type { FastifyReply } from 'fastify';
import { appAnswers, dataOf, security } from '../../../http/answers.ts';
import type { Scope } from '../../../http/scope.ts';
import { appParams } from '../../apps/routes.ts';
import { deliveryBody, deliverySchema } from '../schema.ts';
import { sendRefusal } from '../send-refusal.ts';
import { createWriteDeps, type DepsOfWrite, orderOf } from '../write/order.ts';
import { createCreateDelivery, type DeliveryCreated } from './create-delivery.ts';
import { duplicateAnswer, duplicateProblem } from './duplicates.ts';
import { createAnswerRepetition, idempotencyHeaders, sendAnswer } from './idempotency.ts';
import { createReadForm, formOptions } from './read-form.ts';

const description = `Queues one send of one notification. The answer's \`status\` is \`pending\`, or \`scheduled\` where
\`scheduled_at\` is given.

An organization may keep \`lane: breaking\` for its admins (403 for others and their tokens), and limit its number a day,
as may the operator (422 naming \`lane\`, with what to do instead).

The body may also be a form (\`multipart/form-data\`) with the same fields as text, \`image_url\` and
\`icon_url\` as files, and lists as JSON text or part by part: \`action_buttons[0][title]\`, \`action_buttons[0].title\`, \`action_buttons.0.title\`, or
\`action_buttons[][title]\`, where a name that comes again begins the next button. \`true\`, \`1\` and \`on\` are true, \`false\`, \`0\` and
\`off\` are false, an empty text counts as left out, and of a name that comes twice the last one counts. A form has at most 42
parts.`;

export function createRoute(scope: Scope, deps: DepsOfWrite): void {
  const createDelivery = createCreateDelivery(createWriteDeps(deps));
  const answerRepetition = createAnswerRepetition(deps.database);

  scope.register(async (plain) => {
    await plain.register(multipart, formOptions);
    plain.decorateRequest('uploads', null);
    const inner: Scope = plain.withTypeProvider();
    inner.post(
      '/apps/:identifier/deliveries',
      {
        config: { ability: 'deliveries:write' },
        preValidation: [createReadForm(deliveryBody), answerRepetition],
        schema: {
          tags: ['Deliveries'],
          summary: 'Create a delivery',
          operationId: 'createDelivery',
          description,
          security,
          consumes: ['application/json', 'multipart/form-data'],
          params: appParams,
          headers: idempotencyHeaders,
          body: deliveryBody,
          response: appAnswers({ 201: dataOf(deliverySchema), 409: duplicateProblem }),
        },
      },
      async (request, reply) => {
        const { body, uploads } = request;
        const ending = await createDelivery({
          ...orderOf(request, deps.config),
          body,
          uploads: uploads ?? {},
        });
        if (ending.kind === 'created') request.loggedDeliveryId = JSON.parse(ending.answer).data.id;
        return sendEnding(reply, ending);
      },
    );
  });
}

function sendEnding(reply: FastifyReply, ending: DeliveryCreated): FastifyReply {
  switch (ending.kind) {
    case 'created':
      return sendAnswer(reply, ending.answer);
    case 'duplicate':
      return reply.code(409).send(duplicateAnswer(ending.duplicate));
    default:
      return sendRefusal(reply, ending);
  }
}
