import type { FastifyInstance } from 'fastify';
import { Type } from 'typebox';
import { problemSchema } from '../../../../engine/kit/http/problem.ts';
import type { Scope } from '../../../http/scope.ts';
import { accountAnswers, nothing, tags } from '../../fields.ts';
import { linkExample, linkField, sendInvalidLink } from '../../log-in/password-by-link.ts';
import type { AccountParts } from '../../parts.ts';
import { plainPage } from '../../plain-page.ts';
import { parseLink } from '../invitations/link.ts';
import { confirmByLink } from './confirm-address.ts';

const confirmBody = Type.Object(
  { confirmation: linkField },
  { title: 'ConfirmAlertAddress', examples: [{ confirmation: linkExample }] },
);

/** By whoever reads the mailbox, who need not have an account. The secret is in the body: URLs end up in logs. */
export function confirmAlertAddressRoute(scope: Scope, { database }: AccountParts): void {
  scope.post(
    '/alert-addresses/confirm',
    {
      config: { access: 'anybody' },
      schema: {
        tags,
        summary: 'Confirm the address of an alert channel',
        operationId: 'confirmAlertAddress',
        description:
          'By the link in the e-mail that the first test of an e-mail channel sends. The link works once, for 7 days.',
        body: confirmBody,
        response: accountAnswers({ 204: nothing, 404: problemSchema }),
      },
    },
    async (request, reply) => {
      const link = parseLink(request.body.confirmation);
      const isConfirmed = link !== null && (await confirmByLink(database, link));
      return isConfirmed ? reply.code(204).send(null) : sendInvalidLink(reply, INVALID);
    },
  );
}

const INVALID = 'The link is not valid: it was used, or it has expired.';
const fileOf = (name: string): URL => new URL(`page/${name}`, import.meta.url);

/** Where the e-mail's link leads. A button confirms, and not the visit: mail scanners open links, too. */
export const alertAddressPage = (app: FastifyInstance): void =>
  plainPage(app, [
    { url: '/alert-addresses', file: fileOf('alert-addresses.html'), type: 'html' },
    { url: '/alert-addresses/page.js', file: fileOf('page.js'), type: 'js' },
  ]);
