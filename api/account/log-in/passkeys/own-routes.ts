import type { FastifyReply } from 'fastify';
import { Type } from 'typebox';
import { problemSchema, sendFieldErrors, sendNotFound } from '../../../../engine/kit/http/problem.ts';
import { withRules } from '../../../../engine/kit/http/rules.ts';
import { actorOf, noteChange } from '../../../auth/audit.ts';
import { callerOf } from '../../../auth/caller.ts';
import { holdUsers, lockUser } from '../../../auth/locks.ts';
import { endSessionsBut } from '../../../auth/session-store.ts';
import { dataOf } from '../../../http/answers.ts';
import { parsePathId, timestamp, timestampOrNull } from '../../../http/fields.ts';
import type { Scope } from '../../../http/scope.ts';
import { accountAnswers, notBlank, nothing, security, tags } from '../../fields.ts';
import { readMe } from '../../own/me/store.ts';
import type { AccountParts } from '../../parts.ts';
import { baseOf } from '../provider/uris.ts';
import { givesOwnPassword } from '../second-factor/own-password.ts';
import { newRecoveryCodes, recoveryHashOf } from '../second-factor/recovery-codes.ts';
import { passwordOnlyBody } from '../second-factor/schema.ts';
import { dropLoneRecovery, keepRecovery } from '../second-factor/store.ts';
import {
  addedSchema,
  addPasskeyBody,
  passkeyOptionsSchema,
  passkeySchema,
  renamePasskeyBody,
} from './schema.ts';
import {
  deletePasskey,
  insertChallenge,
  insertPasskey,
  type ListedPasskey,
  listOwn,
  listPasskeys,
  renamePasskey,
  takeChallenge,
} from './store.ts';
import { addingOptions, checkAdded, siteOf } from './webauthn.ts';

/** One's own passkeys. To add or remove one takes the password again. */
export function ownPasskeyRoutes(scope: Scope, parts: AccountParts): void {
  addRoutes(scope, parts);
  listRoutes(scope, parts);
  removeRoute(scope, parts);
}

function addRoutes(scope: Scope, parts: AccountParts): void {
  const { database, cookie, publicBaseUrl } = parts;
  scope.post(
    '/me/passkeys/options',
    {
      config: { access: 'guest', withoutFactor: true },
      schema: {
        tags,
        summary: 'Begin to add a passkey',
        operationId: 'beginPasskey',
        description: 'Within 5 minutes. 409: browsers make passkeys for a host name only.',
        security,
        body: passwordOnlyBody,
        response: accountAnswers({ 200: dataOf(passkeyOptionsSchema), 409: problemSchema }),
      },
    },
    async (request, reply) => {
      const site = siteOf(baseOf(request, publicBaseUrl));
      if (site === null) return sendNoName(reply);
      if (!(await givesOwnPassword(parts, request, reply, request.body.current_password))) return reply;
      const { userId } = callerOf(request);
      const { user } = await readMe(database, userId, '');
      const existing = await listPasskeys(database, userId);
      const options = await addingOptions(site, { id: userId, email: user.email }, existing);
      await insertChallenge(database, cookie.read(request) ?? '', 'add', options.challenge);
      return { data: { options: options.text } };
    },
  );

  scope.post(
    '/me/passkeys',
    {
      config: { access: 'guest', withoutFactor: true },
      schema: {
        tags,
        summary: 'Add a passkey',
        operationId: 'addPasskey',
        description:
          'From now on it, or another factor of the user, is asked for at log-in. The first factor ends every other session of the user, and comes with recovery codes.',
        security,
        body: withRules(addPasskeyBody, [notBlank('name')]),
        response: accountAnswers({ 201: dataOf(addedSchema) }),
      },
    },
    async (request, reply) => {
      const site = siteOf(baseOf(request, publicBaseUrl));
      const { userId } = callerOf(request);
      const secret = cookie.read(request) ?? '';
      const challenge = await takeChallenge(database, secret, 'add');
      const { answer, name } = request.body;
      const key = site === null || challenge === null ? null : await checkAdded(site, challenge, answer);
      if (key === null) return sendWrong(reply);
      const codes = newRecoveryCodes();
      const added = await database.transaction(async (sql) => {
        await holdUsers(sql);
        await lockUser(sql, userId);
        const passkey = await insertPasskey(sql, { ...key, userId, name: name.trim() });
        if (passkey === null) return null;
        const isFirst = await keepRecovery(sql, userId, codes.map(recoveryHashOf));
        if (isFirst) await endSessionsBut(sql, userId, secret);
        const change = { action: 'user.passkey-added', subjectId: passkey.id } as const;
        await noteChange(sql, actorOf(request), { ...change, detail: { name: passkey.name } });
        return { passkey: resourceOf(passkey), recovery_codes: isFirst ? codes : [] };
      });
      return added === null ? sendWrong(reply) : reply.code(201).send({ data: added });
    },
  );
}

function listRoutes(scope: Scope, { database }: AccountParts): void {
  scope.get(
    '/me/passkeys',
    {
      config: { access: 'guest', withoutFactor: true },
      schema: {
        tags,
        summary: 'List your passkeys',
        operationId: 'listPasskeys',
        description: 'At most 20.',
        security,
        response: accountAnswers({ 200: dataOf(Type.Array(passkeySchema)) }),
      },
    },
    async (request) => ({ data: (await listOwn(database, callerOf(request).userId)).map(resourceOf) }),
  );

  scope.patch(
    '/me/passkeys/:passkey_id',
    {
      config: { access: 'guest' },
      schema: {
        tags,
        summary: 'Rename one of your passkeys',
        operationId: 'renamePasskey',
        security,
        params: passkeyParams,
        body: withRules(renamePasskeyBody, [notBlank('name')]),
        response: accountAnswers({ 200: dataOf(passkeySchema), 404: problemSchema }),
      },
    },
    async (request, reply) => {
      const id = parsePathId(request.params.passkey_id);
      const name = request.body.name.trim();
      const renamed = await database.transaction(async (sql) => {
        const passkey = id === null ? null : await renamePasskey(sql, callerOf(request).userId, id, name);
        if (passkey === null) return null;
        const change = { action: 'user.passkey-renamed', subjectId: passkey.id, detail: { name } } as const;
        await noteChange(sql, actorOf(request), change);
        return passkey;
      });
      return renamed === null ? sendNotFound(reply) : { data: resourceOf(renamed) };
    },
  );
}

const passkeyParams = Type.Object({
  passkey_id: Type.String({ maxLength: 255, description: 'The passkey’s id.', examples: ['4'] }),
});

function removeRoute(scope: Scope, parts: AccountParts): void {
  scope.post(
    '/me/passkeys/:passkey_id/remove',
    {
      config: { access: 'guest' },
      schema: {
        tags,
        summary: 'Remove one of your passkeys',
        operationId: 'removePasskey',
        description:
          'From now on nobody can log in with it. Removing the last factor also removes the recovery codes.',
        security,
        params: passkeyParams,
        body: passwordOnlyBody,
        response: accountAnswers({ 204: nothing, 404: problemSchema }),
      },
    },
    async (request, reply) => {
      if (!(await givesOwnPassword(parts, request, reply, request.body.current_password))) return reply;
      const { userId } = callerOf(request);
      const id = parsePathId(request.params.passkey_id);
      const removed = await parts.database.transaction(async (sql) => {
        await holdUsers(sql);
        await lockUser(sql, userId);
        const name = id === null ? null : await deletePasskey(sql, userId, id);
        if (id === null || name === null) return false;
        await dropLoneRecovery(sql, userId);
        const change = { action: 'user.passkey-removed', subjectId: id, detail: { name } } as const;
        await noteChange(sql, actorOf(request), change);
        return true;
      });
      return removed ? reply.code(204).send(null) : sendNotFound(reply);
    },
  );
}

export const sendNoName = (reply: FastifyReply): FastifyReply =>
  reply.code(409).send({
    message: 'Passkeys need a host name: open this page by its host name, such as that of PUBLIC_BASE_URL.',
  });

const sendWrong = (reply: FastifyReply): FastifyReply =>
  sendFieldErrors(reply, {
    answer: ['The answer field is not a new passkey for this page, or it took too long: start again.'],
  });

const resourceOf = (passkey: ListedPasskey) => ({
  ...passkey,
  created_at: timestamp(passkey.created_at),
  last_used_at: timestampOrNull(passkey.last_used_at),
});
