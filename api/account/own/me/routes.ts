import { sendUnavailable } from '../../../../engine/kit/http/errors.ts';
import { sendFieldErrors, sendTooMany } from '../../../../engine/kit/http/problem.ts';
import { withRules } from '../../../../engine/kit/http/rules.ts';
import { actorOf, noteChange } from '../../../auth/audit.ts';
import { callerOf } from '../../../auth/caller.ts';
import { dataOf } from '../../../http/answers.ts';
import type { Scope } from '../../../http/scope.ts';
import { accountAnswers, notBlank, nothing, security, tags } from '../../fields.ts';
import type { AccountParts } from '../../parts.ts';
import { createChangePassword } from './change-password.ts';
import { meBody, meSchema, passwordBody } from './schema.ts';
import { readMe, renameUser } from './store.ts';

export function meRoutes(scope: Scope, parts: AccountParts): void {
  const { database, cookie, devices } = parts;
  const changePassword = createChangePassword(database, parts.passwords, parts.logInLimits, devices);

  scope.get(
    '/me',
    {
      config: { access: 'guest', withoutFactor: true },
      schema: {
        tags,
        summary: 'Read the logged-in user',
        operationId: 'getMe',
        security,
        response: accountAnswers({ 200: dataOf(meSchema) }),
      },
    },
    async (request) => ({
      data: await readMe(database, callerOf(request).userId, cookie.read(request) ?? ''),
    }),
  );

  scope.patch(
    '/me',
    {
      config: { access: 'guest' },
      schema: {
        tags,
        summary: 'Change your name',
        operationId: 'updateMe',
        security,
        body: withRules(meBody, [notBlank('name')]),
        response: accountAnswers({ 200: dataOf(meSchema) }),
      },
    },
    async (request) => {
      const { userId } = callerOf(request);
      const name = request.body.name.trim();
      await database.transaction(async (sql) => {
        await renameUser(sql, userId, name);
        await noteChange(sql, actorOf(request), {
          action: 'user.renamed',
          subjectId: userId,
          detail: { name },
        });
      });
      return { data: await readMe(database, userId, cookie.read(request) ?? '') };
    },
  );

  scope.put(
    '/me/password',
    {
      config: { access: 'guest' },
      schema: {
        tags,
        summary: 'Change your password',
        operationId: 'changePassword',
        description: 'Ends every other session of the user. API tokens stay.',
        security,
        body: passwordBody,
        response: accountAnswers({ 204: nothing }),
      },
    },
    async (request, reply) => {
      const ending = await changePassword({
        caller: callerOf(request),
        actor: actorOf(request),
        secret: cookie.read(request) ?? '',
        address: request.ip,
        devices: devices.read(request),
        current: request.body.current_password,
        next: request.body.new_password,
      });
      switch (ending.kind) {
        case 'changed':
          // The entry of before ended with the old password.
          devices.write(request, reply, {
            id: callerOf(request).userId,
            passwordHash: ending.passwordHash,
          });
          return reply.code(204).send(null);
        case 'refused':
          return sendFieldErrors(reply, ending.errors);
        case 'too-many':
          return sendTooMany(reply, ending.waitSeconds);
        case 'busy':
          return sendUnavailable(reply);
      }
    },
  );
}
