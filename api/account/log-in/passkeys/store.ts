import type { Sql } from '../../../../engine/adapters/postgres/sql.ts';
import { toId, type UserId } from '../../../../engine/contract/ids.ts';
import { hashSecret } from '../../../../engine/kit/http/token.ts';

/** Of one user. */
export const MOST_PASSKEYS = 20;
/** From the challenge to its answer. */
export const CHALLENGE_SECONDS = 300;
/** Open at a time, of everybody; the oldest gives way. */
const MOST_CHALLENGES = 10_000;

/** `add`: to a session's user; `second`: after the password; `alone`: without one. */
export type Purpose = 'add' | 'second' | 'alone';

/**
 * In place of the one of before. It lives in `passkey_challenges`, for five minutes; its first answer takes it.
 * If its owner dies after that, the person asks again.
 * @param owner the secret of the session, half log-in or log-in page that asks.
 */
export async function insertChallenge(
  sql: Sql,
  owner: string,
  purpose: Purpose,
  challenge: string,
): Promise<void> {
  await sql.query(
    `WITH gone AS (
       DELETE FROM passkey_challenges WHERE (expires_at <= now() OR (owner_hash, purpose) IN (
         SELECT owner_hash, purpose FROM passkey_challenges ORDER BY expires_at DESC OFFSET ${MOST_CHALLENGES - 1}))
         AND (owner_hash, purpose) <> ($1, $2)
     )
     INSERT INTO passkey_challenges (owner_hash, purpose, challenge, expires_at)
     VALUES ($1, $2, $3, now() + make_interval(secs => ${CHALLENGE_SECONDS}))
     ON CONFLICT (owner_hash, purpose) DO UPDATE
       SET challenge = excluded.challenge, expires_at = excluded.expires_at`,
    [hashSecret(owner), purpose, challenge],
  );
}

/** Used up by the first answer, right or wrong. Null: there is none, or it is too old. */
export async function takeChallenge(sql: Sql, owner: string, purpose: Purpose): Promise<string | null> {
  const [row] = await sql.query<{ challenge: string; lasts: boolean }>(
    `DELETE FROM passkey_challenges WHERE owner_hash = $1 AND purpose = $2
     RETURNING challenge, expires_at > now() AS lasts`,
    [hashSecret(owner), purpose],
  );
  return row?.lasts === true ? row.challenge : null;
}

export interface Passkey {
  readonly id: number;
  readonly userId: UserId;
  readonly credentialId: string;
  readonly publicKey: Buffer;
  readonly counter: number;
  readonly transports: readonly string[];
}

interface PasskeyRow {
  readonly id: number;
  readonly user_id: number;
  readonly credential_id: Buffer;
  readonly public_key: Buffer;
  readonly counter: number;
  readonly transports: string[];
}

const columns = 'id, user_id, credential_id, public_key, counter, transports';
const passkeyOf = (row: PasskeyRow): Passkey => ({
  id: row.id,
  userId: toId(row.user_id),
  credentialId: row.credential_id.toString('base64url'),
  publicKey: row.public_key,
  counter: row.counter,
  transports: row.transports,
});

export async function listPasskeys(sql: Sql, userId: UserId): Promise<Passkey[]> {
  const rows = await sql.query<PasskeyRow>(
    `SELECT ${columns} FROM passkeys WHERE user_id = $1 AND stopped_at IS NULL ORDER BY id`,
    [userId],
  );
  return rows.map(passkeyOf);
}

/** Locks it: of two uses at once, the second sees the counter of the first. Null: unknown, removed or stopped. */
export async function lockPasskey(sql: Sql, credentialId: string): Promise<Passkey | null> {
  const [row] = await sql.query<PasskeyRow>(
    `SELECT ${columns} FROM passkeys WHERE credential_id = $1 AND stopped_at IS NULL FOR UPDATE`,
    [Buffer.from(credentialId, 'base64url')],
  );
  return row === undefined ? null : passkeyOf(row);
}

export interface ListedPasskey {
  readonly id: number;
  readonly name: string;
  readonly created_at: Date;
  readonly last_used_at: Date | null;
  readonly stopped: boolean;
}

const listed = 'id, name, created_at, last_used_at, stopped_at IS NOT NULL AS stopped';
export const listOwn = (sql: Sql, userId: UserId): Promise<ListedPasskey[]> =>
  sql.query<ListedPasskey>(`SELECT ${listed} FROM passkeys WHERE user_id = $1 ORDER BY id`, [userId]);

/** Under the user's lock. @returns null where there are enough, or somebody has it already. */
export async function insertPasskey(
  sql: Sql,
  passkey: Omit<Passkey, 'id'> & { readonly name: string },
): Promise<ListedPasskey | null> {
  const [row] = await sql.query<ListedPasskey>(
    `INSERT INTO passkeys (user_id, credential_id, public_key, counter, transports, name)
     SELECT $1, $2, $3, $4, $5, $6 WHERE (SELECT count(*) FROM passkeys WHERE user_id = $1) < ${MOST_PASSKEYS}
     ON CONFLICT (credential_id) DO NOTHING RETURNING ${listed}`,
    [
      passkey.userId,
      Buffer.from(passkey.credentialId, 'base64url'),
      passkey.publicKey,
      passkey.counter,
      passkey.transports,
      passkey.name,
    ],
  );
  return row ?? null;
}

export async function noteUse(sql: Sql, id: number, counter: number): Promise<void> {
  await sql.query(`UPDATE passkeys SET counter = $2, last_used_at = now() WHERE id = $1`, [id, counter]);
}

export async function stopPasskey(sql: Sql, id: number): Promise<void> {
  await sql.query(`UPDATE passkeys SET stopped_at = now() WHERE id = $1`, [id]);
}

export async function renamePasskey(
  sql: Sql,
  userId: UserId,
  id: number,
  name: string,
): Promise<ListedPasskey | null> {
  const [row] = await sql.query<ListedPasskey>(
    `UPDATE passkeys SET name = $3 WHERE id = $2 AND user_id = $1 RETURNING ${listed}`,
    [userId, id, name],
  );
  return row ?? null;
}

/** @returns its name; null where the user has no such passkey. */
export async function deletePasskey(sql: Sql, userId: UserId, id: number): Promise<string | null> {
  const [row] = await sql.query<{ name: string }>(
    `DELETE FROM passkeys WHERE id = $2 AND user_id = $1 RETURNING name`,
    [userId, id],
  );
  return row?.name ?? null;
}
