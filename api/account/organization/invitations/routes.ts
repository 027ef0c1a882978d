import { Type } from 'typebox';
import {
  problemSchema,
  sendFieldErrors,
  sendNotFound,
  sendTooMany,
} from '../../../../engine/kit/http/problem.ts';
import { withRules } from '../../../../engine/kit/http/rules.ts';
import { actorOf, noteChange } from '../../../auth/audit.ts';
import { callerOf } from '../../../auth/caller.ts';
import { ownerOf } from '../../../auth/owner.ts';
import { dataOf } from '../../../http/answers.ts';
import { parsePathId, timestamp } from '../../../http/fields.ts';
import { addressOf, baseOf, pageFields, pageOf, pageOfQuery, paginate } from '../../../http/page.ts';
import type { Scope } from '../../../http/scope.ts';
import { accountAnswers, nothing, oncePerApp, organizationQuery, security, tags } from '../../fields.ts';
import type { AccountParts } from '../../parts.ts';
import { createInvite } from './invite.ts';
import { linkUrl } from './link.ts';
import { invitationBody, invitationSchema, newInvitationSchema } from './schema.ts';
import { deleteInvitation, listInvitations, type StoredInvitation } from './store.ts';

/** For admins: the open invitations. The invited person's routes are in `accept-routes.ts`. */
export function invitationRoutes(scope: Scope, { database, publicBaseUrl, emails }: AccountParts): void {
  const invite = createInvite(database, emails);

  scope.get(
    '/invitations',
    {
      config: { access: 'admin' },
      schema: {
        tags,
        summary: 'List the open invitations of the organization',
        operationId: 'listInvitations',
        security,
        querystring: Type.Object({ ...organizationQuery, ...pageFields }),
        response: accountAnswers({ 200: pageOf(invitationSchema) }),
      },
    },
    async (request, reply) => {
      const chosen = await ownerOf(database, callerOf(request), request.query);
      if (chosen.kind === 'refused') return sendFieldErrors(reply, chosen.errors);
      const page = pageOfQuery(request.query);
      const { rows, total } = await listInvitations(database, chosen.organizationId, page);
      return paginate(rows.map(invitationResource), total, page, addressOf(request, publicBaseUrl));
    },
  );

  scope.post(
    '/invitations',
    {
      config: { access: 'admin' },
      schema: {
        tags,
        summary: 'Create an invitation link',
        operationId: 'createInvitation',
        description:
          'If this installation sends e-mails (`SMTP_URL`, `MAIL_FROM` and `PUBLIC_BASE_URL`), the invited person gets the link by e-mail, and nobody else sees it (`mailed`). 429: an organization sends 60 e-mails an hour, 3 to one address. Otherwise pass the link on. A new invitation of the same address takes the place of the old one.',
        security,
        body: withRules(invitationBody, [oncePerApp]),
        response: accountAnswers({ 201: dataOf(newInvitationSchema) }),
      },
    },
    async (request, reply) => {
      const { email, role, grants = [] } = request.body;
      const caller = callerOf(request);
      const chosen = await ownerOf(database, caller, request.body);
      if (chosen.kind === 'refused') return sendFieldErrors(reply, chosen.errors);
      const { organizationId } = chosen;
      const actor = { ...actorOf(request), organizationId };
      const ending = await invite({ caller, actor, organizationId, email: email.trim(), role, grants });
      if (ending.kind === 'refused') return sendFieldErrors(reply, ending.errors);
      if (ending.kind === 'too-many') return sendTooMany(reply, ending.waitSeconds);
      const base = baseOf(request, { publicBaseUrl });
      const data = {
        ...invitationResource(ending.stored),
        url: ending.link === null ? null : linkUrl(base, ending.link),
        mailed: ending.link === null,
      };
      return reply.code(201).send({ data });
    },
  );

  scope.delete(
    '/invitations/:invitation_id',
    {
      config: { access: 'admin' },
      schema: {
        tags,
        summary: 'Revoke an invitation',
        operationId: 'revokeInvitation',
        security,
        params: Type.Object({
          invitation_id: Type.String({
            maxLength: 255,
            description: 'The invitation’s id.',
            examples: ['6'],
          }),
        }),
        querystring: Type.Object(organizationQuery),
        response: accountAnswers({ 204: nothing, 404: problemSchema }),
      },
    },
    async (request, reply) => {
      const chosen = await ownerOf(database, callerOf(request), request.query);
      if (chosen.kind === 'refused') return sendFieldErrors(reply, chosen.errors);
      const { organizationId } = chosen;
      const id = parsePathId(request.params.invitation_id);
      const revoked = await database.transaction(async (sql) => {
        const email = id === null ? null : await deleteInvitation(sql, organizationId, id);
        if (id === null || email === null) return false;
        const change = { action: 'invitation.revoked', subjectId: id, detail: { email } } as const;
        await noteChange(sql, { ...actorOf(request), organizationId }, change);
        return true;
      });
      return revoked ? reply.code(204).send(null) : sendNotFound(reply);
    },
  );
}

const invitationResource = (invitation: StoredInvitation) => ({
  ...invitation,
  grants: [...invitation.grants],
  created_at: timestamp(invitation.created_at),
  expires_at: timestamp(invitation.expires_at),
});
