import type { UserId } from '../../../../engine/contract/ids.ts';
import { problemSchema, sendFieldErrors } from '../../../../engine/kit/http/problem.ts';
import { actorOf, noteChange } from '../../../auth/audit.ts';
import { callerOf } from '../../../auth/caller.ts';
import { endSessionsBut } from '../../../auth/session-store.ts';
import { dataOf } from '../../../http/answers.ts';
import type { Scope } from '../../../http/scope.ts';
import { accountAnswers, nothing, security, tags } from '../../fields.ts';
import { readMe } from '../../own/me/store.ts';
import type { AccountParts } from '../../parts.ts';
import { plainCode } from './check-code.ts';
import { givesOwnPassword } from './own-password.ts';
import { newRecoveryCodes, recoveryHashOf } from './recovery-codes.ts';
import { codeBody, newFactorSchema, passwordOnlyBody, recoverySchema } from './schema.ts';
import { beginFactor, confirmFactor, countFailure, deleteApp, lockFactor, replaceRecovery } from './store.ts';
import { newTotpSecret, totpStepOf, totpUri } from './totp.ts';

const ON = 'already exists: remove it first.';

/** One's own second factor. Each change takes the password again. */
export function ownFactorRoutes(scope: Scope, parts: AccountParts): void {
  setUpRoutes(scope, parts);
  changeRoutes(scope, parts);
}

function setUpRoutes(scope: Scope, parts: AccountParts): void {
  const { database, sealer, cookie } = parts;
  scope.post(
    '/me/second-factor',
    {
      config: { access: 'guest', withoutFactor: true },
      schema: {
        tags,
        summary: 'Begin to set up a second factor',
        operationId: 'beginSecondFactor',
        description: 'Changes nothing at log-in until it is confirmed with a code.',
        security,
        body: passwordOnlyBody,
        response: accountAnswers({ 201: dataOf(newFactorSchema) }),
      },
    },
    async (request, reply) => {
      if (!(await givesOwnPassword(parts, request, reply, request.body.current_password))) return reply;
      const { userId } = callerOf(request);
      const secret = newTotpSecret();
      if (!(await beginFactor(database, sealer, userId, secret)))
        return sendFieldErrors(reply, { current_password: [`A second factor ${ON}`] });
      const { user } = await readMe(database, userId, '');
      return reply.code(201).send({ data: { secret, uri: totpUri(secret, user.email) } });
    },
  );

  scope.post(
    '/me/second-factor/confirm',
    {
      config: { access: 'guest', withoutFactor: true },
      schema: {
        tags,
        summary: 'Confirm a second factor with its first code',
        operationId: 'confirmSecondFactor',
        description: 'From now on it is asked for at log-in. Ends every other session of the user.',
        security,
        body: codeBody,
        response: accountAnswers({ 200: dataOf(recoverySchema) }),
      },
    },
    async (request, reply) => {
      const { userId } = callerOf(request);
      const codes = newRecoveryCodes();
      const confirmed = await database.transaction(async (sql) => {
        const factor = await lockFactor(sql, sealer, userId);
        const code = plainCode(request.body.code);
        if (factor === null || factor.isConfirmed || factor.waitSeconds > 0 || code === null) return false;
        const { secret, lastStep } = factor;
        const step = secret === null ? null : await totpStepOf(code, { secret, lastStep });
        if (step === null) {
          await countFailure(sql, userId);
          return false;
        }
        await confirmFactor(sql, userId, { step, recoveryHashes: codes.map(recoveryHashOf) });
        await endSessionsBut(sql, userId, cookie.read(request));
        await noteChange(sql, actorOf(request), { action: 'user.second-factor-added', subjectId: userId });
        return true;
      });
      return confirmed
        ? { data: { recovery_codes: codes } }
        : sendFieldErrors(reply, { code: ['The code field is wrong, or was used before.'] });
    },
  );
}

function changeRoutes(scope: Scope, parts: AccountParts): void {
  const { database } = parts;
  scope.post(
    '/me/second-factor/recovery-codes',
    {
      config: { access: 'guest' },
      schema: {
        tags,
        summary: 'Make new recovery codes',
        operationId: 'renewRecoveryCodes',
        description: 'The old codes no longer work. 409: there is no second factor.',
        security,
        body: passwordOnlyBody,
        response: accountAnswers({ 200: dataOf(recoverySchema), 409: problemSchema }),
      },
    },
    async (request, reply) => {
      if (!(await givesOwnPassword(parts, request, reply, request.body.current_password))) return reply;
      const { userId } = callerOf(request);
      const codes = newRecoveryCodes();
      const renewed = await database.transaction(async (sql) => {
        if (!(await replaceRecovery(sql, userId, codes.map(recoveryHashOf)))) return false;
        await noteChange(sql, actorOf(request), { action: 'user.recovery-codes-renewed', subjectId: userId });
        return true;
      });
      if (!renewed) return reply.code(409).send({ message: 'There is no second factor.' });
      return { data: { recovery_codes: codes } };
    },
  );

  scope.post(
    '/me/second-factor/remove',
    {
      config: { access: 'guest' },
      schema: {
        tags,
        summary: 'Remove your authenticator app',
        operationId: 'removeSecondFactor',
        description:
          'Passkeys stay, and so do the recovery codes. Without a passkey, where the organization requires a second factor, another has to be set up at once.',
        security,
        body: passwordOnlyBody,
        response: accountAnswers({ 204: nothing }),
      },
    },
    async (request, reply) => {
      if (!(await givesOwnPassword(parts, request, reply, request.body.current_password))) return reply;
      await removeOwn(parts, callerOf(request).userId, actorOf(request));
      return reply.code(204).send(null);
    },
  );
}

const removeOwn = ({ database }: AccountParts, userId: UserId, actor: ReturnType<typeof actorOf>) =>
  database.transaction(async (sql) => {
    if (!(await deleteApp(sql, userId))) return;
    await noteChange(sql, actor, { action: 'user.second-factor-removed', subjectId: userId });
  });
