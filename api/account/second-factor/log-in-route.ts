import { sendFieldErrors, sendTooMany } from '../../../engine/adapters/http/problem.ts';
import { placeOf } from '../../auth/session-place.ts';
import { endSession } from '../../auth/session-store.ts';
import { dataOf } from '../../client/answers.ts';
import type { Scope } from '../../client/scope.ts';
import { accountAnswers, tags } from '../fields.ts';
import { meSchema } from '../me/schema.ts';
import { readMe } from '../me/store.ts';
import type { AccountParts } from '../parts.ts';
import { createCompleteLogIn } from './complete-log-in.ts';
import { codeBody } from './schema.ts';

/** The second half of a log-in, for whom the first one left its cookie. */
export function codeRoute(scope: Scope, parts: AccountParts): void {
  const { database, cookie, devices, halfCookie } = parts;
  const completeLogIn = createCompleteLogIn(parts);

  scope.post(
    '/log-in/code',
    {
      config: { access: 'anybody' },
      schema: {
        tags,
        summary: 'Complete a log-in with a code',
        operationId: 'completeLogIn',
        description:
          'Within 5 minutes of the password. A code is good once. 401: log in anew. 429: too many wrong codes of this user in the last 15 minutes.',
        body: codeBody,
        response: accountAnswers({ 200: dataOf(meSchema) }),
      },
    },
    async (request, reply) => {
      const ending = await completeLogIn({
        half: halfCookie.read(request) ?? '',
        code: request.body.code,
        devices: devices.read(request),
        place: placeOf(request),
        requestId: request.id,
      });
      switch (ending.kind) {
        case 'over':
          return reply.code(401).send({ message: 'The log-in took too long: log in again.' });
        case 'too-many':
          return sendTooMany(reply, ending.waitSeconds);
        case 'wrong':
          return sendFieldErrors(reply, { code: ['The code field is wrong, or was used before.'] });
        case 'in': {
          const replaced = cookie.read(request);
          if (replaced !== null) await endSession(database, replaced);
          halfCookie.write(request, reply, '', 0);
          cookie.write(request, reply, ending.secret);
          devices.write(request, reply, { id: ending.userId, passwordHash: ending.passwordHash });
          return { data: await readMe(database, ending.userId, ending.secret) };
        }
      }
    },
  );
}
