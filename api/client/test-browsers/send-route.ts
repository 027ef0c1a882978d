import multipart from '@fastify/multipart';
import { appAnswers, dataOf, security } from '../../http/answers.ts';
import type { Scope } from '../../http/scope.ts';
import { appParams } from '../apps/routes.ts';
import { createAnswerRepetition, idempotencyHeaders, sendAnswer } from '../deliveries/create/idempotency.ts';
import { createReadForm, formOptions } from '../deliveries/create/read-form.ts';
import { deliverySchema } from '../deliveries/schema.ts';
import { sendRefusal } from '../deliveries/send-refusal.ts';
import { createWriteDeps, type DepsOfWrite, orderOf } from '../deliveries/write/order.ts';
import { testBody } from './send-schema.ts';
import { createSendTest } from './send-test.ts';

const description = `Sends a notification to test browsers alone, now: past the frequency cap and quiet hours, without
counting for the cap, and before whatever else is being sent. Readers would see the same.

It is a delivery with \`test: true\`. Its own page counts it; no statistic of the app, no subscriber’s count, no alert and no
webhook does. The body is that of a delivery, or such a form; when, to whom and how fast it would go is ignored. An app
sends at most 30 tests an hour (422). Of an author it goes to browsers alone that have \`consented\`: they came by the link
themselves.`;

export function sendTestRoute(scope: Scope, deps: DepsOfWrite): void {
  const sendTest = createSendTest(createWriteDeps(deps));
  const answerRepetition = createAnswerRepetition(deps.database);

  scope.register(async (plain) => {
    await plain.register(multipart, formOptions);
    plain.decorateRequest('uploads', null);
    const inner: Scope = plain.withTypeProvider();
    inner.post(
      '/apps/:identifier/deliveries/test',
      {
        config: { ability: 'deliveries:write' },
        preValidation: [createReadForm(testBody), answerRepetition],
        schema: {
          tags: ['Tests'],
          summary: 'Send a test',
          operationId: 'sendTest',
          description,
          security,
          consumes: ['application/json', 'multipart/form-data'],
          params: appParams,
          headers: idempotencyHeaders,
          body: testBody,
          response: appAnswers({ 201: dataOf(deliverySchema) }),
        },
      },
      async (request, reply) => {
        const { body, uploads } = request;
        const ending = await sendTest({ ...orderOf(request, deps.config), body, uploads: uploads ?? {} });
        return ending.kind === 'created' ? sendAnswer(reply, ending.answer) : sendRefusal(reply, ending);
      },
    );
  });
}
