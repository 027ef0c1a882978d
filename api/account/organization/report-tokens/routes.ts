import { Type } from 'typebox';
import type { Database } from '../../../../engine/adapters/postgres/database.ts';
import { problemSchema, sendFieldErrors, sendNotFound } from '../../../../engine/kit/http/problem.ts';
import { withRules } from '../../../../engine/kit/http/rules.ts';
import { formatToken, hashSecret, newSecret } from '../../../../engine/kit/http/token.ts';
import { type Actor, actorOf, noteChange } from '../../../auth/audit.ts';
import { type Caller, callerOf } from '../../../auth/caller.ts';
import { lockUser } from '../../../auth/locks.ts';
import { dataOf } from '../../../http/answers.ts';
import { parsePathId, timestamp, timestampOrNull } from '../../../http/fields.ts';
import type { Scope } from '../../../http/scope.ts';
import { accountAnswers, notBlank, nothing, security, tags } from '../../fields.ts';
import type { AccountParts } from '../../parts.ts';
import { newReportTokenSchema, reportDomainsSchema, reportTokenBody, reportTokenSchema } from './schema.ts';
import {
  countReportTokens,
  insertGrantedToken,
  type ListedReportToken,
  listOwnReportTokens,
  reportDomains,
  revokeOwnReportTokens,
} from './store.ts';

/** Of one user, at a time. */
const MAX_TOKENS = 100;

/**
 * Report tokens that users make for themselves, for domains that the operator granted to their organization. Any other
 * scope is the operator's to give, by the command line.
 */
export function reportTokenRoutes(scope: Scope, { database }: AccountParts): void {
  scope.get(
    '/report-tokens',
    {
      config: { access: 'reader' },
      schema: {
        tags,
        summary: 'List your report tokens',
        operationId: 'listReportTokens',
        description:
          'Those that were made here and are not revoked, newest first. Secrets are not shown again.',
        security,
        response: accountAnswers({ 200: dataOf(Type.Array(reportTokenSchema)) }),
      },
    },
    async (request) => ({
      data: (await listOwnReportTokens(database, callerOf(request).userId)).map(tokenResource),
    }),
  );

  scope.get(
    '/report-tokens/domains',
    {
      config: { access: 'reader' },
      schema: {
        tags,
        summary: 'List the domains of your reports',
        operationId: 'listReportDomains',
        description: 'Those that the operator has granted to the organization, by `revenue grant`.',
        security,
        response: accountAnswers({ 200: dataOf(reportDomainsSchema) }),
      },
    },
    async (request) => ({
      data: { domains: await reportDomains(database, callerOf(request).organizationId) },
    }),
  );

  scope.post(
    '/report-tokens',
    {
      config: { access: 'admin' },
      schema: {
        tags,
        summary: 'Create a report token for yourself',
        operationId: 'createReportToken',
        description: 'Only this answer contains the token itself.',
        security,
        body: withRules(reportTokenBody, [notBlank('name')]),
        response: accountAnswers({ 201: dataOf(newReportTokenSchema) }),
      },
    },
    async (request, reply) => {
      const { name, domains } = request.body;
      const made = await makeToken(database, callerOf(request), actorOf(request), {
        name: name.trim(),
        domains: [...new Set(domains)],
      });
      return 'errors' in made ? sendFieldErrors(reply, made.errors) : reply.code(201).send({ data: made });
    },
  );

  scope.delete(
    '/report-tokens/:report_token_id',
    {
      config: { access: 'reader' },
      schema: {
        tags,
        summary: 'Revoke one of your report tokens',
        operationId: 'revokeReportToken',
        description: 'At once: the next report with it is answered 401.',
        security,
        params: Type.Object({
          report_token_id: Type.String({
            maxLength: 255,
            description: 'The token’s id: the part before `|`.',
            examples: ['17'],
          }),
        }),
        response: accountAnswers({ 204: nothing, 404: problemSchema }),
      },
    },
    async (request, reply) => {
      const id = parsePathId(request.params.report_token_id);
      const ended = await database.transaction((sql) =>
        revokeAndNote(sql, callerOf(request), actorOf(request), { id, name: null }),
      );
      return ended === 0 ? sendNotFound(reply) : reply.code(204).send(null);
    },
  );
}

interface Wanted {
  readonly name: string;
  readonly domains: readonly string[];
}

/** In one transaction with the check of the grants: none is made for what was just taken away. */
function makeToken(database: Database, caller: Caller, actor: Actor, { name, domains }: Wanted) {
  const { userId, organizationId } = caller;
  return database.transaction(async (sql) => {
    await lockUser(sql, userId);
    const granted = await reportDomains(sql, organizationId);
    const others = domains.filter((domain) => !granted.includes(domain));
    if (others.length > 0) {
      return { errors: { domains: [`Not granted to your organization: ${others.slice(0, 3).join(', ')}.`] } };
    }
    await revokeAndNote(sql, caller, actor, { id: null, name });
    if ((await countReportTokens(sql, userId)) >= MAX_TOKENS) {
      return { errors: { name: [`There are ${MAX_TOKENS} report tokens already: revoke one first.`] } };
    }
    const secret = newSecret();
    const stored = await insertGrantedToken(sql, {
      ...{ userId, name, secretHash: hashSecret(secret) },
      // As ad servers write the same site.
      domains: domains.flatMap((domain) => [domain, `www.${domain}`]),
    });
    const detail = { name, domains: domains.slice(0, 20), domain_count: domains.length };
    await noteChange(sql, actor, { action: 'report-token.issued', subjectId: stored.id, detail });
    return { ...tokenResource(stored), token: formatToken({ id: stored.id, secret }) };
  });
}

type Which = Parameters<typeof revokeOwnReportTokens>[2];

async function revokeAndNote(
  sql: Parameters<typeof revokeOwnReportTokens>[0],
  { userId }: Caller,
  actor: Actor,
  which: Which,
): Promise<number> {
  const ended = await revokeOwnReportTokens(sql, userId, which);
  for (const { id, name } of ended) {
    await noteChange(sql, actor, { action: 'report-token.revoked', subjectId: id, detail: { name } });
  }
  return ended.length;
}

const tokenResource = ({ domains, ...token }: ListedReportToken) => ({
  ...token,
  domains: domains.filter((domain) => !domain.startsWith('www.')),
  created_at: timestamp(token.created_at),
  last_used_at: timestampOrNull(token.last_used_at),
});
