import type { FastifyBaseLogger, FastifyReply } from 'fastify';
import { Type } from 'typebox';
import type { Database } from '../../../../engine/adapters/postgres/database.ts';
import { sendUnavailable } from '../../../../engine/kit/http/errors.ts';
import { sendTooMany } from '../../../../engine/kit/http/problem.ts';
import { logFailure } from '../../../../engine/kit/roles/log-failure.ts';
import { actorOf, noteChange } from '../../../auth/audit.ts';
import { callerOf } from '../../../auth/caller.ts';
import { placeOf } from '../../../auth/session-place.ts';
import { endSession } from '../../../auth/session-store.ts';
import { dataOf } from '../../../http/answers.ts';
import type { Scope } from '../../../http/scope.ts';
import { accountAnswers, nothing, passwordField, security, tags } from '../../fields.ts';
import { meSchema } from '../../own/me/schema.ts';
import { readMe } from '../../own/me/store.ts';
import type { AccountParts } from '../../parts.ts';
import { logOutUrlOf } from '../provider/session-link.ts';
import { logInPageOf } from '../provider/uris.ts';
import { halfSchema } from '../second-factor/schema.ts';
import { HALF_SECONDS } from '../second-factor/store.ts';
import { createLogIn, type LogInEnding, sessionActor } from './log-in.ts';

const logInBody = Type.Object(
  { email: Type.String({ minLength: 1, maxLength: 255 }), password: passwordField },
  { title: 'LogIn', examples: [{ email: 'ada@example.com', password: 'a long line that only Ada knows' }] },
);

const loggedOutSchema = Type.Object(
  { log_out_url: Type.String({ description: 'Of the provider.' }) },
  { title: 'LoggedOut', examples: [{ log_out_url: 'https://login.example.com/log-out' }] },
);

export function sessionRoutes(scope: Scope, parts: AccountParts): void {
  const { database, cookie, devices, halfCookie, sealer, publicBaseUrl } = parts;
  const logIn = createLogIn(parts);

  scope.post(
    '/log-in',
    {
      config: { access: 'anybody' },
      schema: {
        tags,
        summary: 'Log in',
        operationId: 'logIn',
        description:
          'Sets the cookie of a session: it ends 24 hours after its last use, and 30 days after it began. A wrong password and an unknown e-mail address answer alike, 401. 429: too many failed log-ins from this address or for this e-mail address in the last 15 minutes; those of a browser where the user logged in before are counted apart. 202: the password is right, and the user has a second factor: `POST /account/log-in/code` completes the log-in, with the cookie that this answer sets.',
        body: logInBody,
        response: accountAnswers({ 200: dataOf(meSchema), 202: dataOf(halfSchema) }),
      },
    },
    async (request, reply) => {
      const known = devices.read(request);
      const ending = await logIn({
        ...request.body,
        address: request.ip,
        devices: known,
        place: placeOf(request),
        requestId: request.id,
      });
      if (ending.kind === 'half') {
        halfCookie.write(request, reply, ending.secret, HALF_SECONDS);
        return reply.code(202).send({ data: { second_factor: 'asked' } });
      }
      if (ending.kind !== 'in') return refuse(database, ending, reply);
      const replaced = cookie.read(request);
      if (replaced !== null) await endSession(database, replaced);
      cookie.write(request, reply, ending.secret);
      devices.write(request, reply, { id: ending.userId, passwordHash: ending.passwordHash });
      return { data: await readMe(database, ending.userId, ending.secret) };
    },
  );

  scope.post(
    '/log-out',
    {
      config: { access: 'guest', withoutFactor: true },
      schema: {
        tags,
        summary: 'Log out',
        operationId: 'logOut',
        description:
          'Ends this session. 200: a provider began it, and offers a log-out: the browser may go to its page.',
        security,
        response: accountAnswers({ 200: dataOf(loggedOutSchema), 204: nothing }),
      },
    },
    async (request, reply) => {
      const secret = cookie.read(request) ?? '';
      const { userId } = callerOf(request);
      const returnTo = logInPageOf(request, publicBaseUrl);
      const url = await database.transaction(async (sql) => {
        const page = await logOutUrlOf(sql, sealer, { secret, userId, returnTo });
        if ((await endSession(sql, secret)) === null) return null;
        await noteChange(sql, actorOf(request), { action: 'user.logged-out', subjectId: userId });
        return page;
      });
      cookie.clear(request, reply);
      return url === null ? reply.code(204).send(null) : { data: { log_out_url: url } };
    },
  );
}

async function refuse(
  database: Database,
  ending: Exclude<LogInEnding, { kind: 'in' | 'half' }>,
  reply: FastifyReply,
): Promise<FastifyReply> {
  switch (ending.kind) {
    case 'busy':
      return sendUnavailable(reply);
    case 'too-many':
      return sendTooMany(reply, ending.waitSeconds);
    case 'wrong':
      reply.code(401).send({ message: 'The e-mail address or the password is wrong.' });
      // After the answer: the time of the write would reveal that the e-mail address exists.
      if (ending.user !== null) await noteFailure(database, ending.user, reply.request.id, reply.log);
      return reply;
  }
}

/** If the process ends just now, only this line of the audit log is lost. */
async function noteFailure(
  database: Database,
  user: Parameters<typeof sessionActor>[0],
  requestId: string,
  log: FastifyBaseLogger,
): Promise<void> {
  const change = { action: 'user.log-in-failed', subjectId: user.id } as const;
  await noteChange(database, sessionActor(user, requestId), change).catch((error: unknown) =>
    logFailure(log, error, 'a failed log-in is not in the audit log'),
  );
}
