import { addressKey } from '../../../../engine/kit/http/attempt-limit.ts';
import { problemSchema, sendNotFound, sendTooMany } from '../../../../engine/kit/http/problem.ts';
import { newSecret } from '../../../../engine/kit/http/token.ts';
import { placeOf } from '../../../auth/session-place.ts';
import { dataOf } from '../../../http/answers.ts';
import type { Scope } from '../../../http/scope.ts';
import { createAddressLimit } from '../../address-limit.ts';
import { accountAnswers, tags } from '../../fields.ts';
import { meSchema } from '../../own/me/schema.ts';
import type { AccountParts } from '../../parts.ts';
import { sessionActor } from '../password/log-in.ts';
import { baseOf } from '../provider/uris.ts';
import { createCompleteLogIn } from '../second-factor/complete-log-in.ts';
import { sendCompleted, sendLoggedIn } from '../second-factor/send-completed.ts';
import { findHalf } from '../second-factor/store.ts';
import { checkSecond } from './check-passkey.ts';
import { logInAlone } from './log-in-alone.ts';
import { sendNoName } from './own-routes.ts';
import { passkeyAnswerBody, passkeyOptionsSchema } from './schema.ts';
import { CHALLENGE_SECONDS, insertChallenge, listPasskeys } from './store.ts';
import { logInOptions, siteOf } from './webauthn.ts';

/** Log-in by a passkey: after the password, or alone. */
export function passkeyLogInRoutes(scope: Scope, parts: AccountParts): void {
  secondRoutes(scope, parts);
  aloneRoutes(scope, parts);
}

function secondRoutes(scope: Scope, parts: AccountParts): void {
  const { database, halfCookie, publicBaseUrl } = parts;
  const completeLogIn = createCompleteLogIn(parts);
  scope.post(
    '/log-in/code/passkey-options',
    {
      config: { access: 'anybody' },
      schema: {
        tags,
        summary: 'Ask for a passkey in place of a code',
        operationId: 'askSecondPasskey',
        description: 'After the password. 404: the user has none, or the log-in took too long.',
        response: accountAnswers({
          200: dataOf(passkeyOptionsSchema),
          404: problemSchema,
          409: problemSchema,
        }),
      },
    },
    async (request, reply) => {
      const site = siteOf(baseOf(request, publicBaseUrl));
      if (site === null) return sendNoName(reply);
      const secret = halfCookie.read(request) ?? '';
      const half = await findHalf(database, secret);
      const passkeys = half === null ? [] : await listPasskeys(database, half.userId);
      if (passkeys.length === 0) return sendNotFound(reply);
      const options = await logInOptions(site, passkeys);
      await insertChallenge(database, secret, 'second', options.challenge);
      return { data: { options: options.text } };
    },
  );

  scope.post(
    '/log-in/code/passkey',
    {
      config: { access: 'anybody' },
      schema: {
        tags,
        summary: 'Complete a log-in with a passkey',
        operationId: 'completeLogInByPasskey',
        description: 'In place of a code, with the cookie of the first half. 401: log in again.',
        body: passkeyAnswerBody,
        response: accountAnswers({ 200: dataOf(meSchema) }),
      },
    },
    async (request, reply) => {
      const site = siteOf(baseOf(request, publicBaseUrl));
      const half = halfCookie.read(request) ?? '';
      const ending = await completeLogIn({
        half,
        check: async (sql, user) => {
          if (site === null) return { kind: 'wrong' };
          const answer = { site, owner: half, text: request.body.answer };
          const actor = sessionActor(user, request.id);
          const isRight = await checkSecond(sql, answer, user.id, actor);
          return isRight ? { kind: 'right', by: 'passkey' } : { kind: 'wrong' };
        },
        devices: parts.devices.read(request),
        place: placeOf(request),
        requestId: request.id,
      });
      return sendCompleted(parts, request, reply, ending, WRONG);
    },
  );
}

const WRONG = { answer: ['The answer field is not that of a passkey of this user, or was used before.'] };

function aloneRoutes(scope: Scope, parts: AccountParts): void {
  const { database, passkeyCookie, publicBaseUrl } = parts;
  const limit = createAddressLimit();
  scope.post(
    '/log-in/passkey-options',
    {
      config: { access: 'anybody' },
      schema: {
        tags,
        summary: 'Ask for a passkey in place of a password',
        operationId: 'askPasskey',
        description: 'Sets a cookie for 5 minutes. 409: browsers have passkeys for a host name only.',
        response: accountAnswers({ 200: dataOf(passkeyOptionsSchema), 409: problemSchema }),
      },
    },
    async (request, reply) => {
      const site = siteOf(baseOf(request, publicBaseUrl));
      if (site === null) return sendNoName(reply);
      const waitSeconds = limit.take(addressKey(request.ip));
      if (waitSeconds > 0) return sendTooMany(reply, waitSeconds);
      const secret = newSecret();
      const options = await logInOptions(site, null);
      await insertChallenge(database, secret, 'alone', options.challenge);
      passkeyCookie.write(request, reply, secret, CHALLENGE_SECONDS);
      return { data: { options: options.text } };
    },
  );

  scope.post(
    '/log-in/passkey',
    {
      config: { access: 'anybody' },
      schema: {
        tags,
        summary: 'Log in with a passkey alone',
        operationId: 'logInByPasskey',
        description: 'It must have checked a PIN, a finger or a face. 401: it is unknown or invalid.',
        body: passkeyAnswerBody,
        response: accountAnswers({ 200: dataOf(meSchema) }),
      },
    },
    async (request, reply) => {
      const site = siteOf(baseOf(request, publicBaseUrl));
      const owner = passkeyCookie.read(request) ?? '';
      const inside =
        site === null
          ? null
          : await logInAlone(parts, {
              site,
              owner,
              text: request.body.answer,
              devices: parts.devices.read(request),
              place: placeOf(request),
              requestId: request.id,
            });
      passkeyCookie.write(request, reply, '', 0);
      if (inside === null) return reply.code(401).send({ message: 'This passkey is unknown or invalid.' });
      return sendLoggedIn(parts, request, reply, inside);
    },
  );
}
