import { hash } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import { keyIsAlive } from '../../../../engine/adapters/postgres/removal/sweeps.ts';
import type { Sql } from '../../../../engine/adapters/postgres/sql.ts';
import type { AppId } from '../../../../engine/contract/ids.ts';
import { sendFieldErrors } from '../../../../engine/kit/http/problem.ts';
import { appOf, ownAlone } from '../../own-app.ts';
import type { Uploads } from './uploads.ts';

/** A key of the client's own choosing that makes one delivery of any number of the same requests. */
export interface Idempotency {
  readonly key: string;
  /** SHA-256 of the body in canonical form. */
  readonly bodyHash: Buffer;
}

/** `answer` is the body of the first answer, byte for byte; its status is always 201. */
export type KeyUse =
  | { readonly kind: 'first' }
  | { readonly kind: 'again'; readonly answer: string }
  | { readonly kind: 'other-body' };

/** `answer` is the body of the 201. */
export interface Created {
  readonly kind: 'created';
  readonly answer: string;
}
export interface Repeated {
  readonly kind: 'repeated';
  readonly use: KeyUse;
}

const isKey = (text: unknown): text is string =>
  typeof text === 'string' && /^[\x21-\x7e]{1,255}$/.test(text);

/** Only a success is replayed: a refused request may be corrected and sent under its key. */
export const idempotencyHeaders = Type.Object({
  'idempotency-key': Type.Optional(
    Type.Refine(
      Type.String({
        maxLength: 255,
        description:
          'A key of your own for this delivery, such as a UUID. Sent again within 24 hours with the same body, it ' +
          'returns the first 201 again, with `Idempotency-Replayed: true`, and creates nothing; with another body ' +
          'it is refused. Refused requests leave their key free.',
      }),
      isKey,
      () => 'must be 1 to 255 visible ASCII characters',
    ),
  ),
});

/**
 * Of a request whose app is known. An author's keys are their own: one that is guessed beforehand must not answer a
 * colleague's request with what the author wrote. A space is in no key that a client gives.
 */
export function idempotencyOf(request: FastifyRequest): Idempotency | null {
  const given = request.headers['idempotency-key'];
  if (!isKey(given)) return null;
  const author = ownAlone(request);
  const key = author === null ? given : `author ${author} ${given}`;
  return { key, bodyHash: hashBody(request.body, request.uploads ?? {}) };
}

/** A file counts by its bytes, in place of its field. */
function hashBody(body: unknown, uploads: Uploads): Buffer {
  const files = Object.entries(uploads).map(([field, bytes]) => [field, { file: hash('sha256', bytes) }]);
  const whole =
    typeof body === 'object' && body !== null
      ? { ...withoutNulls(body), ...Object.fromEntries(files) }
      : body;
  return hash('sha256', JSON.stringify(canonical(whole, 0)) ?? '', 'buffer');
}

/** A field that is null counts as left out: it is the same request, before and after it was validated. */
const withoutNulls = (body: object): object =>
  Object.fromEntries(Object.entries(body).filter(([, value]) => value !== null));

/** Deeper than any field that is read: levels below make no difference, and no nesting can exhaust the stack. */
const MAX_DEPTH = 6;

function canonical(value: unknown, depth: number): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (depth >= MAX_DEPTH) return null;
  if (Array.isArray(value)) return value.map((item) => canonical(item, depth + 1));
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  // Pairs, not an object: an object would put names that look like numbers first.
  return { fields: entries.map(([name, child]) => [name, canonical(child, depth + 1)]) };
}

/** @returns false where the answer was sent. */
export function isFirstUse(reply: FastifyReply, use: KeyUse): boolean {
  switch (use.kind) {
    case 'first':
      return true;
    case 'again':
      reply.header('idempotency-replayed', 'true');
      sendAnswer(reply, use.answer);
      return false;
    case 'other-body':
      sendFieldErrors(reply, {
        'idempotency-key': ['The idempotency-key field was used for another body within the last 24 hours.'],
      });
      return false;
  }
}

/** As text: every repetition has the bytes of the first answer. */
export const sendAnswer = (reply: FastifyReply, answer: string): FastifyReply =>
  reply.code(201).type('application/json; charset=utf-8').send(answer);

/** How a request ends whose key was used; null: it is the first of its key. */
export async function findRepetition(
  sql: Sql,
  appId: AppId,
  idempotency: Idempotency | null,
): Promise<Repeated | null> {
  return idempotency === null ? null : repeated(await findUse(sql, appId, idempotency));
}

const repeated = (use: KeyUse): Repeated | null => (use.kind === 'first' ? null : { kind: 'repeated', use });

/** Before the body is checked: the time of a delivery that was accepted may have come since. */
export const createAnswerRepetition =
  (sql: Sql) =>
  async (request: FastifyRequest, reply: FastifyReply): Promise<unknown> => {
    const ending = await findRepetition(sql, appOf(request).id, idempotencyOf(request));
    if (ending !== null && !isFirstUse(reply, ending.use)) return reply;
  };

/**
 * In one transaction: takes the key, creates, and keeps the answer for whoever sends the request again. Only once nothing can
 * refuse the request any more, so that a refusal leaves the key free.
 */
export async function createOnce(
  sql: Sql,
  {
    app: { id: appId },
    idempotency,
  }: { readonly app: { readonly id: AppId }; readonly idempotency: Idempotency | null },
  create: () => Promise<unknown>,
): Promise<Created | Repeated> {
  const ending = idempotency === null ? null : repeated(await takeKey(sql, appId, idempotency));
  if (ending !== null) return ending;
  const answer = JSON.stringify({ data: await create() });
  if (idempotency !== null) await keepAnswer(sql, appId, idempotency.key, answer);
  return { kind: 'created', answer };
}

/** How the key was used before, by committed requests. */
async function findUse(sql: Sql, appId: AppId, { key, bodyHash }: Idempotency): Promise<KeyUse> {
  const [row] = await sql.query<{ body_hash: Buffer; answer: string }>(
    `SELECT body_hash, answer FROM idempotency_keys WHERE app_id = $1 AND key = $2 AND ${keyIsAlive}`,
    [appId, key],
  );
  if (row === undefined) return { kind: 'first' };
  return row.body_hash.equals(bodyHash) ? { kind: 'again', answer: row.answer } : { kind: 'other-body' };
}

/**
 * Takes the key for the delivery that the caller's transaction creates, or waits for another request that is
 * doing so and returns its result. Rolled back, the key is free again.
 */
async function takeKey(sql: Sql, appId: AppId, use: Idempotency): Promise<KeyUse> {
  const rows = await sql.query(
    `INSERT INTO idempotency_keys (app_id, key, body_hash) VALUES ($1, $2, $3)
     ON CONFLICT (app_id, key) DO UPDATE SET body_hash = excluded.body_hash, answer = '', created_at = now()
     WHERE NOT (idempotency_keys.${keyIsAlive}) RETURNING key`,
    [appId, use.key, use.bodyHash],
  );
  return rows.length === 1 ? { kind: 'first' } : findUse(sql, appId, use);
}

/** In the transaction that took the key. */
async function keepAnswer(sql: Sql, appId: AppId, key: string, answer: string): Promise<void> {
  await sql.query(`UPDATE idempotency_keys SET answer = $3 WHERE app_id = $1 AND key = $2`, [
    appId,
    key,
    answer,
  ]);
}
