import type { FastifyReply, FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import { problemSchema, sendFieldErrors, sendNotFound } from '../../../engine/adapters/http/problem.ts';
import { actorOf } from '../../auth/audit.ts';
import { callerOf } from '../../auth/caller.ts';
import { dataOf } from '../../client/answers.ts';
import { ownerOf } from '../../client/apps/owner.ts';
import { parsePathId } from '../../client/fields.ts';
import { addressOf, pageFields, pageOf, pageOfQuery, paginate } from '../../client/page.ts';
import type { Scope } from '../../client/scope.ts';
import { sendForbidden } from '../access.ts';
import { accountAnswers, nothing, organizationQuery, roleField, security, tags } from '../fields.ts';
import { userSchema } from '../me/schema.ts';
import { userResource } from '../me/store.ts';
import type { AccountParts } from '../parts.ts';
import { createManageUsers, type Management, type Managing } from './manage-user.ts';
import { listUsers } from './store.ts';

const userParams = Type.Object({ user_id: Type.String({ description: 'The user’s id.' }) });
const roleBody = Type.Object(
  { role: roleField('Not above one’s own.') },
  { title: 'ChangeRole', examples: [{ role: 'member' }] },
);

export function userRoutes(scope: Scope, { database, publicBaseUrl }: AccountParts): void {
  const { changeRole, removeUser, resetFactor } = createManageUsers(database);

  /** Null where the request named an organization it may not, and was answered. */
  const managementOf = async (
    request: FastifyRequest,
    reply: FastifyReply,
    given: { readonly user: string; readonly organization_id?: number },
  ): Promise<Management | null> => {
    const caller = callerOf(request);
    const chosen = await ownerOf(database, caller, given);
    if (chosen.kind === 'refused') sendFieldErrors(reply, chosen.errors);
    const userId = parsePathId(given.user);
    if (chosen.kind === 'owner' && userId === null) sendNotFound(reply);
    if (chosen.kind === 'refused' || userId === null) return null;
    const { organizationId } = chosen;
    return { caller, organizationId, userId, actor: { ...actorOf(request), organizationId } };
  };

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

  scope.patch(
    '/users/:user_id',
    {
      config: { access: 'admin' },
      schema: {
        tags,
        summary: 'Change a user’s role',
        operationId: 'changeRole',
        description:
          'Holds from the user’s next request on. The last admin of an organization and the last super-admin keep their role.',
        security,
        params: userParams,
        querystring: Type.Object(organizationQuery),
        body: roleBody,
        response: accountAnswers({ 200: dataOf(userSchema), 404: problemSchema }),
      },
    },
    async (request, reply) => {
      const management = await managementOf(request, reply, {
        user: request.params.user_id,
        ...request.query,
      });
      if (management === null) return reply;
      const ending = await changeRole(management, request.body.role);
      return ending.kind === 'done' ? { data: userResource(ending.user) } : sendRefusal(reply, ending);
    },
  );

  scope.delete(
    '/users/:user_id/second-factor',
    {
      config: { access: 'admin' },
      schema: {
        tags,
        summary: 'Reset a user’s second factor',
        operationId: 'resetSecondFactor',
        description:
          'For a colleague who lost phone and recovery codes: the password alone lets them in again.',
        security,
        params: userParams,
        querystring: Type.Object(organizationQuery),
        response: accountAnswers({ 204: nothing, 404: problemSchema }),
      },
    },
    async (request, reply) => {
      const management = await managementOf(request, reply, {
        user: request.params.user_id,
        ...request.query,
      });
      if (management === null) return reply;
      if (management.userId === management.caller.userId) return sendForbidden(reply);
      const ending = await resetFactor(management);
      return ending.kind === 'done' ? reply.code(204).send(null) : sendRefusal(reply, ending);
    },
  );

  scope.delete(
    '/users/:user_id',
    {
      config: { access: 'admin' },
      schema: {
        tags,
        summary: 'Remove a user',
        operationId: 'removeUser',
        description: 'Their tokens, their sessions and the invitations they made end at once.',
        security,
        params: userParams,
        querystring: Type.Object(organizationQuery),
        response: accountAnswers({ 204: nothing, 404: problemSchema }),
      },
    },
    async (request, reply) => {
      const management = await managementOf(request, reply, {
        user: request.params.user_id,
        ...request.query,
      });
      if (management === null) return reply;
      const ending = await removeUser(management);
      return ending.kind === 'done' ? reply.code(204).send(null) : sendRefusal(reply, ending);
    },
  );
}

function sendRefusal(reply: FastifyReply, ending: Exclude<Managing, { kind: 'done' }>): FastifyReply {
  switch (ending.kind) {
    case 'missing':
      return sendNotFound(reply);
    case 'forbidden':
      return sendForbidden(reply);
    case 'refused':
      return sendFieldErrors(reply, ending.errors);
  }
}
