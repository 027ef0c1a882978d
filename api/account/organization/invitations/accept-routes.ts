import { problemSchema } from '../../../../engine/kit/http/problem.ts';
import { withRules } from '../../../../engine/kit/http/rules.ts';
import { placeOf } from '../../../auth/session-place.ts';
import { dataOf } from '../../../http/answers.ts';
import { timestamp } from '../../../http/fields.ts';
import type { Scope } from '../../../http/scope.ts';
import { accountAnswers, notBlank, tags } from '../../fields.ts';
import { openLink, sendInvalidLink, sendNotSet } from '../../log-in/password-by-link.ts';
import { halfSchema } from '../../log-in/second-factor/schema.ts';
import { sendLoggedIn } from '../../log-in/second-factor/send-completed.ts';
import { meSchema } from '../../own/me/schema.ts';
import type { AccountParts } from '../../parts.ts';
import { createAcceptInvitation } from './accept.ts';
import { acceptBody, openBody, openSchema } from './schema.ts';
import { findOpen } from './store.ts';

/** For the holder of the link. The secret is in the body: URLs end up in logs. */
export function acceptRoutes(scope: Scope, parts: AccountParts): void {
  const { database, passwords } = parts;
  const acceptInvitation = createAcceptInvitation(database, passwords);

  scope.post(
    '/invitations/open',
    {
      config: { access: 'anybody' },
      schema: {
        tags,
        summary: 'Read an invitation by its link',
        operationId: 'openInvitation',
        description: 'Changes nothing: for the page that asks for a name and a password.',
        body: openBody,
        response: accountAnswers({ 200: dataOf(openSchema), 404: problemSchema }),
      },
    },
    async (request, reply) => {
      const open = await openLink(request.body.invitation, (link) => findOpen(database, link));
      if (open === null) return sendInvalidLink(reply, INVALID);
      const { email, role, organization, expiresAt } = open;
      return { data: { email, role, organization, expires_at: timestamp(expiresAt) } };
    },
  );

  scope.post(
    '/invitations/accept',
    {
      config: { access: 'anybody' },
      schema: {
        tags,
        summary: 'Accept an invitation',
        operationId: 'acceptInvitation',
        description:
          'Creates the user and logs in. The link of an existing user sets a new password and ends their other sessions; 202: they have a second factor, and log in with both.',
        body: withRules(acceptBody, [notBlank('name')]),
        response: accountAnswers({ 201: dataOf(meSchema), 202: dataOf(halfSchema), 404: problemSchema }),
      },
    },
    async (request, reply) => {
      const { invitation, name, password } = request.body;
      const requestId = request.id;
      const place = placeOf(request);
      const ending = await acceptInvitation({ invitation, name: name.trim(), password, place, requestId });
      switch (ending.kind) {
        case 'in':
          return reply.code(201).send(await sendLoggedIn(parts, request, reply, ending));
        case 'set':
          return reply.code(202).send({ data: { second_factor: 'asked' } });
        default:
          return sendNotSet(reply, ending, INVALID);
      }
    },
  );
}

const INVALID =
  'The invitation is not valid: it was used, replaced or revoked, it has expired, or its e-mail address has an account.';
