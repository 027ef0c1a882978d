import { placeOf } from '../../../auth/session-place.ts';
import { dataOf } from '../../../http/answers.ts';
import type { Scope } from '../../../http/scope.ts';
import { accountAnswers, tags } from '../../fields.ts';
import { meSchema } from '../../own/me/schema.ts';
import type { AccountParts } from '../../parts.ts';
import { checkCode } from './check-code.ts';
import { createCompleteLogIn } from './complete-log-in.ts';
import { codeBody } from './schema.ts';
import { sendCompleted } from './send-completed.ts';

/** The second half of a log-in, for whom the first one left its cookie. */
export function codeRoute(scope: Scope, parts: AccountParts): void {
  const { sealer, devices, halfCookie } = parts;
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
          'Within 5 minutes of the password. A code works once. 401: log in again. 429: too many wrong codes of this user in the last 15 minutes.',
        body: codeBody,
        response: accountAnswers({ 200: dataOf(meSchema) }),
      },
    },
    async (request, reply) => {
      const ending = await completeLogIn({
        half: halfCookie.read(request) ?? '',
        check: (sql, user) => checkCode(sql, sealer, user.id, request.body.code),
        devices: devices.read(request),
        place: placeOf(request),
        requestId: request.id,
      });
      return sendCompleted(parts, request, reply, ending, WRONG);
    },
  );
}

const WRONG = { code: ['The code field is wrong, or was used before.'] };
