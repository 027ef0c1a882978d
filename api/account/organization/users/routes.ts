import type { FastifyReply, FastifyRequest } from 'fastify';
import { type Static, Type } from 'typebox';
import { problemSchema, sendFieldErrors, sendNotFound } from '../../../../engine/kit/http/problem.ts';
import { withRules } from '../../../../engine/kit/http/rules.ts';
import { actorOf } from '../../../auth/audit.ts';
import { callerOf } from '../../../auth/caller.ts';
import { ownerOf } from '../../../auth/owner.ts';
import { dataOf } from '../../../http/answers.ts';
import { parsePathId } from '../../../http/fields.ts';
import { addressOf, pageFields, pageOf, pageOfQuery, paginate } from '../../../http/page.ts';
import type { Scope } from '../../../http/scope.ts';
import { sendForbidden } from '../../access.ts';
import {
  accountAnswers,
  grantsField,
  nothing,
  oncePerApp,
  organizationQuery,
  roleField,
  roleWords,
  security,
  tags,
} from '../../fields.ts';
import { userSchema } from '../../own/me/schema.ts';
import { userResource } from '../../own/me/store.ts';
import type { AccountParts } from '../../parts.ts';
import { createManageUsers, type Management, type Managing } from './manage-user.ts';
import { listUsers } from './store.ts';

const userParams = Type.Object({
  user_id: Type.String({ maxLength: 255, description: 'The user’s id.', examples: ['9'] }),
});
const roleBody = Type.Object(
  { role: roleField('Not above your own.') },
  { title: 'ChangeRole', examples: [{ role: 'member' }] },
);
const grantsBody = Type.Object(
  { grants: grantsField('All of them: one that is left out ends. Empty: none.') },
  { title: 'ChangeGrants', examples: [{ grants: [] }] },
);
const grantsNotes =
  'Each raises the user on one app above their role in the organization, and never lowers it: `author` on one app makes a guest an author there alone. Applies from the user’s next request on, of sessions and API tokens alike; a stream of a delivery’s progress that is open ends within a minute.';

const changeAnswers = accountAnswers({ 200: dataOf(userSchema), 404: problemSchema });
const endAnswers = accountAnswers({ 204: nothing, 404: problemSchema });
/** Of every route about one user. */
const ofUser = { tags, security, params: userParams, querystring: Type.Object(organizationQuery) };
type OfUser = FastifyRequest<{
  Params: Static<typeof userParams>;
  Querystring: { organization_id?: number };
}>;

export function userRoutes(scope: Scope, parts: AccountParts): void {
  listRoute(scope, parts);
  const { database } = parts;
  const { changeRole, changeGrants, removeUser, resetFactor } = createManageUsers(database);

  /** Finds what the request is about, has it done, and answers what came of it. */
  const manage = async <Reply extends FastifyReply>(
    request: OfUser,
    reply: Reply,
    change: (management: Management) => Promise<Managing>,
  ): Promise<Reply> => {
    const caller = callerOf(request);
    const chosen = await ownerOf(database, caller, request.query);
    const userId = parsePathId(request.params.user_id);
    if (chosen.kind === 'refused') sendFieldErrors(reply, chosen.errors);
    else if (userId === null) sendNotFound(reply);
    else {
      const { organizationId } = chosen;
      const actor = { ...actorOf(request), organizationId };
      sendEnding(reply, await change({ caller, organizationId, userId, actor }));
    }
    return reply;
  };

  scope.patch(
    '/users/:user_id',
    {
      config: { access: 'admin' },
      schema: {
        ...ofUser,
        summary: 'Change a user’s role',
        operationId: 'changeRole',
        description: `Applies from the user’s next request on. The last admin of an organization and the last super-admin keep their role. ${roleWords}`,
        body: roleBody,
        response: changeAnswers,
      },
    },
    async (request, reply) => manage(request, reply, (of) => changeRole(of, request.body.role)),
  );

  scope.put(
    '/users/:user_id/grants',
    {
      config: { access: 'admin' },
      schema: {
        ...ofUser,
        summary: 'Set a user’s roles on single apps',
        operationId: 'changeGrants',
        description: grantsNotes,
        body: withRules(grantsBody, [oncePerApp]),
        response: changeAnswers,
      },
    },
    async (request, reply) => manage(request, reply, (of) => changeGrants(of, request.body.grants)),
  );

  scope.delete(
    '/users/:user_id/second-factor',
    {
      config: { access: 'admin' },
      schema: {
        ...ofUser,
        summary: 'Reset a user’s second factor',
        operationId: 'resetSecondFactor',
        description:
          'For a colleague who lost phone and recovery codes: the password alone lets them in again.',
        response: endAnswers,
      },
    },
    async (request, reply) =>
      manage(request, reply, async (of) =>
        of.userId === of.caller.userId ? { kind: 'forbidden' } : endOf(await resetFactor(of)),
      ),
  );

  scope.delete(
    '/users/:user_id',
    {
      config: { access: 'admin' },
      schema: {
        ...ofUser,
        summary: 'Remove a user',
        operationId: 'removeUser',
        description:
          'Their tokens, their sessions and the invitations they made end at once. The last admin of an organization stays.',
        response: endAnswers,
      },
    },
    async (request, reply) => manage(request, reply, async (of) => endOf(await removeUser(of))),
  );
}

function listRoute(scope: Scope, { database, publicBaseUrl }: AccountParts): void {
  scope.get(
    '/users',
    {
      config: { access: 'admin' },
      schema: {
        tags,
        summary: 'List the users of the organization',
        operationId: 'listUsers',
        security,
        querystring: Type.Object({ ...organizationQuery, ...pageFields }),
        response: accountAnswers({ 200: pageOf(userSchema) }),
      },
    },
    async (request, reply) => {
      const chosen = await ownerOf(database, callerOf(request), request.query);
      if (chosen.kind === 'refused') return sendFieldErrors(reply, chosen.errors);
      const page = pageOfQuery(request.query);
      const { rows, total } = await listUsers(database, chosen.organizationId, page);
      return paginate(rows.map(userResource), total, page, addressOf(request, publicBaseUrl));
    },
  );
}

/** Nothing of the user is shown. */
const endOf = (ending: Managing): Managing => (ending.kind === 'done' ? { kind: 'ended' } : ending);

function sendEnding(reply: FastifyReply, ending: Managing): FastifyReply {
  switch (ending.kind) {
    case 'done':
      return reply.send({ data: userResource(ending.user) });
    case 'ended':
      return reply.code(204).send(null);
    case 'missing':
      return sendNotFound(reply);
    case 'forbidden':
      return sendForbidden(reply);
    case 'refused':
      return sendFieldErrors(reply, ending.errors);
  }
}
