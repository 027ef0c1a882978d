import type { FastifyReply } from 'fastify';
import { addressKey } from '../../../../engine/kit/http/attempt-limit.ts';
import { problemSchema, sendTooMany } from '../../../../engine/kit/http/problem.ts';
import { logFailure } from '../../../../engine/kit/roles/log-failure.ts';
import { dataOf } from '../../../http/answers.ts';
import type { Scope } from '../../../http/scope.ts';
import { createAddressLimit } from '../../address-limit.ts';
import { accountAnswers, nothing, tags } from '../../fields.ts';
import type { AccountParts } from '../../parts.ts';
import { openLink, sendInvalidLink, sendNotSet } from '../password-by-link.ts';
import { askReset, createResetPassword } from './reset.ts';
import { askBody, openResetBody, openResetSchema, resetBody } from './schema.ts';
import { findReset } from './store.ts';

/** Requests of one address in a quarter of an hour. */
const MOST_BY_ADDRESS = 10;

/** A new password by a link in an e-mail. The secret is in the body: URLs end up in logs. */
export function passwordResetRoutes(scope: Scope, parts: AccountParts): void {
  askRoute(scope, parts);
  linkRoutes(scope, parts);
}

function askRoute(scope: Scope, { database, emails }: AccountParts): void {
  const limit = createAddressLimit(MOST_BY_ADDRESS);
  scope.post(
    '/password-reset',
    {
      config: { access: 'anybody' },
      schema: {
        tags,
        summary: 'Ask for a link to a new password',
        operationId: 'askPasswordReset',
        description:
          'The link comes by e-mail, works once, and ends after an hour. The answer is the same whether or not the address has an account; an account gets 3 links an hour at most. 409: this installation sends no e-mails (`SMTP_URL`, `MAIL_FROM` and `PUBLIC_BASE_URL`).',
        body: askBody,
        response: accountAnswers({ 204: nothing, 409: problemSchema }),
      },
    },
    async (request, reply) => {
      if (emails === null) return sendNoEmails(reply);
      const waitSeconds = limit.take(addressKey(request.ip));
      if (waitSeconds > 0) return sendTooMany(reply, waitSeconds);
      reply.code(204).send(null);
      // After the answer: the time of the write would reveal that the address has an account. If the process ends
      // just now, no e-mail comes, and the person asks again.
      await askReset(database, emails, { email: request.body.email, requestId: request.id }).catch(
        (error: unknown) => logFailure(request.log, error, 'a link to a new password was not written'),
      );
      return reply;
    },
  );
}

function linkRoutes(scope: Scope, { database, passwords }: AccountParts): void {
  const resetPassword = createResetPassword(database, passwords);

  scope.post(
    '/password-reset/open',
    {
      config: { access: 'anybody' },
      schema: {
        tags,
        summary: 'Read a link to a new password',
        operationId: 'openPasswordReset',
        description: 'Changes nothing: for the page that asks for the password.',
        body: openResetBody,
        response: accountAnswers({ 200: dataOf(openResetSchema), 404: problemSchema }),
      },
    },
    async (request, reply) => {
      const user = await openLink(request.body.reset, (link) => findReset(database, link));
      return user === null ? sendInvalidLink(reply, INVALID) : { data: { email: user.email } };
    },
  );

  scope.post(
    '/password-reset/set',
    {
      config: { access: 'anybody' },
      schema: {
        tags,
        summary: 'Set a new password by a link',
        operationId: 'resetPassword',
        description:
          'Ends every session of the user, and every other link of theirs; it does not log in. API tokens and second factors stay, unless nobody had confirmed the address before: then whatever let anybody in ends.',
        body: resetBody,
        response: accountAnswers({ 204: nothing, 404: problemSchema }),
      },
    },
    async (request, reply) => {
      const ending = await resetPassword({ ...request.body, requestId: request.id });
      return ending.kind === 'set' ? reply.code(204).send(null) : sendNotSet(reply, ending, INVALID);
    },
  );
}

const sendNoEmails = (reply: FastifyReply): FastifyReply =>
  reply.code(409).send({
    message: 'This installation sends no e-mail: ask an admin of your organization for a new link.',
  });

const INVALID = 'The link is not valid: it was used, or it has expired.';
