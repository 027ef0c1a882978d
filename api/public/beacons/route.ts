import { Type } from 'typebox';
import { sendUnavailable } from '../../../engine/kit/http/errors.ts';
import { createDeliveryProofs } from '../../../engine/notification/delivery-proof.ts';
import type { Scope } from '../../http/scope.ts';
import type { Using } from '../../ports/deps.ts';
import { appOf, hideDetail, publicAnswers, publicHeaders, sendInvalid } from '../answers.ts';
import { beaconOf } from './beacon.ts';
import { createRecordBeacons } from './record-beacons.ts';
import { beaconBody } from './schema.ts';

const { 200: _, ...refusals } = publicAnswers;

/** A browser's report about a notification. Answered once the log has it: until then the browser keeps it. */
export function beaconRoute(
  scope: Scope,
  deps: Using<'masterKey' | 'oldMasterKeys' | 'database' | 'log'>,
): void {
  const proofs = createDeliveryProofs(deps.masterKey, deps.oldMasterKeys);
  const beacons = createRecordBeacons({ sql: deps.database, log: deps.log, logger: scope.log });

  scope.post(
    '/beacon',
    {
      schema: {
        tags: ['Public'],
        summary: 'Report on a notification',
        operationId: 'beacon',
        description:
          'Displayed, clicked or closed. 204: it is recorded. 429 and 503: send the same again later, with the same event ids; any other answer: do not send it again. However often an event is sent, and with any ids, a subscriber displays, clicks and closes a delivery once. It counts where `browserSecret` is that of a subscription for which a push service accepted the delivery; every other one counts separately, as unproven.',
        headers: publicHeaders,
        body: beaconBody,
        response: { ...refusals, 204: Type.Null({ description: 'It is kept.' }) },
      },
      errorHandler: hideDetail,
    },
    async (request, reply) => {
      const { body } = request;
      const app = appOf(request, body.appId);
      if (app === null || !proofs.isProof(body.proof, app.identifier, body.delivery)) {
        return sendInvalid(reply);
      }
      const ending = await beacons.submit(beaconOf(app, body, Date.now()));
      return ending === 'stored' ? reply.code(204).send(null) : sendUnavailable(reply);
    },
  );
}
