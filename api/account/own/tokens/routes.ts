import { Type } from 'typebox';
import type { Database } from '../../../../engine/adapters/postgres/database.ts';
import type { Sql } from '../../../../engine/adapters/postgres/sql.ts';
import type { UserId } from '../../../../engine/contract/ids.ts';
import {
  type FieldErrors,
  problemSchema,
  sendFieldErrors,
  sendNotFound,
} from '../../../../engine/kit/http/problem.ts';
import { withRules } from '../../../../engine/kit/http/rules.ts';
import { formatToken, type RawToken } from '../../../../engine/kit/http/token.ts';
import { noteOnAbilities } from '../../../auth/app-roles.ts';
import { type Actor, actorOf, noteChange } from '../../../auth/audit.ts';
import { type Caller, callerOf } from '../../../auth/caller.ts';
import { lockUser } from '../../../auth/locks.ts';
import { createToken } from '../../../auth/token-store.ts';
import { dataOf } from '../../../http/answers.ts';
import { parsePathId, parseTime, timestamp, timestampOrNull } from '../../../http/fields.ts';
import { addressOf, pageFields, pageOf, pageOfQuery, paginate } from '../../../http/page.ts';
import type { Scope } from '../../../http/scope.ts';
import { accountAnswers, notBlank, nothing, security, tags } from '../../fields.ts';
import type { AccountParts } from '../../parts.ts';
import { newTokenSchema, tokenBody, tokenSchema } from './schema.ts';
import { countTokens, findAppIds, findOwnToken, type ListedToken, listTokens, revokeToken } from './store.ts';

/** Of one user, at a time. */
const MAX_TOKENS = 100;

export function tokenRoutes(scope: Scope, { database, publicBaseUrl }: AccountParts): void {
  scope.get(
    '/tokens',
    {
      config: { access: 'guest' },
      schema: {
        tags,
        summary: 'List your API tokens',
        operationId: 'listTokens',
        description:
          'Revoked tokens are left out; expired tokens stay until you revoke them. Secrets are not shown again.',
        security,
        querystring: Type.Object(pageFields),
        response: accountAnswers({ 200: pageOf(tokenSchema) }),
      },
    },
    async (request) => {
      const page = pageOfQuery(request.query);
      const { rows, total } = await listTokens(database, callerOf(request).userId, page);
      return paginate(rows.map(tokenResource), total, page, addressOf(request, publicBaseUrl));
    },
  );

  scope.post(
    '/tokens',
    {
      config: { access: 'guest' },
      schema: {
        tags,
        summary: 'Create an API token for yourself',
        operationId: 'createToken',
        description: 'Only this answer contains the token itself.',
        security,
        body: withRules(tokenBody, [notBlank('name')]),
        response: accountAnswers({ 201: dataOf(newTokenSchema) }),
      },
    },
    async (request, reply) => {
      const made = await makeToken(database, callerOf(request), actorOf(request), {
        name: request.body.name.trim(),
        abilities: [...new Set(request.body.abilities)],
        expires_at: request.body.expires_at === undefined ? null : parseTime(request.body.expires_at),
        apps: request.body.apps ?? null,
        addresses: request.body.addresses ?? null,
      });
      if (made.kind === 'refused') return sendFieldErrors(reply, made.errors);
      return reply.code(201).send({ data: made.token });
    },
  );

  scope.delete(
    '/tokens/:token_id',
    {
      config: { access: 'guest' },
      schema: {
        tags,
        summary: 'Revoke one of your API tokens',
        operationId: 'revokeToken',
        description: 'At once: the next request with it is answered 401.',
        security,
        params: Type.Object({
          token_id: Type.String({
            maxLength: 255,
            description: 'The token’s id: the part before `|`.',
            examples: ['17'],
          }),
        }),
        response: accountAnswers({ 204: nothing, 404: problemSchema }),
      },
    },
    async (request, reply) => {
      const id = parsePathId(request.params.token_id);
      const revoked = await database.transaction(async (sql) => {
        const name = id === null ? null : await revokeToken(sql, callerOf(request).userId, id);
        if (id === null || name === null) return false;
        await noteChange(sql, actorOf(request), { action: 'token.revoked', subjectId: id, detail: { name } });
        return true;
      });
      return revoked ? reply.code(204).send(null) : sendNotFound(reply);
    },
  );
}

type TokenWanted = Pick<ListedToken, 'name' | 'abilities' | 'expires_at' | 'apps' | 'addresses'>;
type Made =
  | {
      readonly kind: 'made';
      readonly token: ReturnType<typeof tokenResource> & {
        readonly token: string;
        readonly note: string | null;
      };
    }
  | { readonly kind: 'refused'; readonly errors: FieldErrors };

function makeToken(database: Database, caller: Caller, actor: Actor, wanted: TokenWanted): Promise<Made> {
  const { userId } = caller;
  return database.transaction(async (sql) => {
    await lockUser(sql, userId);
    if ((await countTokens(sql, userId)) >= MAX_TOKENS) {
      return refuse('name', `There are ${MAX_TOKENS} tokens already: revoke one first.`);
    }
    const appIds = wanted.apps === null ? null : await findAppIds(sql, caller, wanted.apps);
    if (wanted.apps !== null && appIds === null) {
      return refuse('apps', 'The apps field names an app that does not exist.');
    }
    const { name, abilities, addresses, expires_at: expiresAt } = wanted;
    const raw = await createToken(sql, { userId, name, abilities, expiresAt, appIds, addresses });
    await noteChange(sql, actor, { action: 'token.created', subjectId: raw.id, detail: detailOf(wanted) });
    const note = noteOnAbilities(caller, abilities, appIds);
    return { kind: 'made', token: { ...(await newToken(sql, userId, raw)), note } };
  });
}

const refuse = (field: string, message: string): Made => ({
  kind: 'refused',
  errors: { [field]: [message] },
});

/** Only the limits that there are. */
const detailOf = ({ name, abilities, apps, addresses, expires_at: end }: TokenWanted) => ({
  name,
  abilities,
  ...(apps === null ? {} : { apps }),
  ...(addresses === null ? {} : { addresses }),
  ...(end === null ? {} : { expires_at: timestamp(end) }),
});

async function newToken(sql: Sql, userId: UserId, raw: RawToken) {
  const stored = await findOwnToken(sql, userId, raw.id);
  if (stored === null) throw new Error('the token just made is not there');
  return { ...tokenResource(stored), token: formatToken(raw) };
}

const tokenResource = (token: ListedToken) => ({
  ...token,
  created_at: timestamp(token.created_at),
  last_used_at: timestampOrNull(token.last_used_at),
  expires_at: timestampOrNull(token.expires_at),
});
