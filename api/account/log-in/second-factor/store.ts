import type { Sealer } from '../../../../engine/adapters/postgres/sealed-secret.ts';
import type { Sql } from '../../../../engine/adapters/postgres/sql.ts';
import { toId, type UserId } from '../../../../engine/contract/ids.ts';
import { hashSecret } from '../../../../engine/kit/http/token.ts';
import { hasFactorSql } from '../../../auth/factor-sql.ts';
import type { SessionLink } from '../provider/session-link.ts';

/** Wrong codes of a user in a quarter of an hour, however often the password was right in between. */
const MOST_FAILURES = 10;
const FAILING_MINUTES = 15;
/** From the password to the code. */
export const HALF_SECONDS = 300;
/** Of one user; the oldest gives way. */
const MAX_HALVES = 20;

const contextOf = (userId: UserId): string => `second-factor ${userId}`;

export interface SecondFactor {
  /** Of the authenticator app; null: there is none, only passkeys. */
  readonly secret: string | null;
  readonly isConfirmed: boolean;
  readonly lastStep: number;
  readonly recoveryHashes: readonly Buffer[];
  /** Until further codes are checked; 0: now. */
  readonly waitSeconds: number;
}

interface FactorRow {
  readonly secret_sealed: Buffer | null;
  readonly confirmed: boolean;
  readonly last_step: number;
  readonly recovery_hashes: Buffer[];
  readonly wait: number;
}

/** Locks it until the transaction ends: of two that show one code at once, one has it. */
export async function lockFactor(sql: Sql, sealer: Sealer, userId: UserId): Promise<SecondFactor | null> {
  const [row] = await sql.query<FactorRow>(
    `SELECT secret_sealed, confirmed_at IS NOT NULL AS confirmed, last_step, recovery_hashes,
       CASE WHEN failures < ${MOST_FAILURES} THEN 0 ELSE greatest(0, ceil(extract(epoch FROM
         failing_since + interval '${FAILING_MINUTES} minutes' - now())))::integer END AS wait
     FROM second_factors WHERE user_id = $1 FOR UPDATE`,
    [userId],
  );
  if (row === undefined) return null;
  return {
    secret: row.secret_sealed === null ? null : sealer.open(row.secret_sealed, contextOf(userId)).toString(),
    isConfirmed: row.confirmed,
    lastStep: row.last_step,
    recoveryHashes: row.recovery_hashes,
    waitSeconds: row.wait,
  };
}

export async function hasFactor(sql: Sql, userId: UserId): Promise<boolean> {
  const [row] = await sql.query<{ has: boolean }>(`SELECT ${hasFactorSql('$1::integer')} AS has`, [userId]);
  return row?.has ?? false;
}

/** In place of one that was never confirmed. @returns false where there is a confirmed one. */
export async function beginFactor(
  sql: Sql,
  sealer: Sealer,
  userId: UserId,
  secret: string,
): Promise<boolean> {
  const rows = await sql.query(
    `INSERT INTO second_factors AS factors (user_id, secret_sealed) VALUES ($1, $2)
     ON CONFLICT (user_id) DO UPDATE SET secret_sealed = excluded.secret_sealed, last_step = 0, failures = 0
     WHERE factors.confirmed_at IS NULL RETURNING user_id`,
    [userId, sealer.seal(secret, contextOf(userId))],
  );
  return rows.length === 1;
}

export async function confirmFactor(
  sql: Sql,
  userId: UserId,
  confirmed: { readonly step: number; readonly recoveryHashes: readonly Buffer[] },
): Promise<void> {
  await sql.query(
    `UPDATE second_factors SET confirmed_at = now(), last_step = $2, recovery_hashes = $3, failures = 0
     WHERE user_id = $1`,
    [userId, confirmed.step, confirmed.recoveryHashes],
  );
}

export async function replaceRecovery(sql: Sql, userId: UserId, hashes: readonly Buffer[]): Promise<boolean> {
  const rows = await sql.query(
    `UPDATE second_factors SET recovery_hashes = $2 WHERE user_id = $1 AND ${hasFactorSql('$1')} RETURNING user_id`,
    [userId, hashes],
  );
  return rows.length === 1;
}

/** The code is used up, and wrong ones before it no longer count. */
export async function useStep(sql: Sql, userId: UserId, step: number): Promise<void> {
  await sql.query(`UPDATE second_factors SET last_step = $2, failures = 0 WHERE user_id = $1`, [
    userId,
    step,
  ]);
}

export async function useRecovery(sql: Sql, userId: UserId, hash: Buffer): Promise<void> {
  await sql.query(
    `UPDATE second_factors SET recovery_hashes = array_remove(recovery_hashes, $2), failures = 0 WHERE user_id = $1`,
    [userId, hash],
  );
}

export async function countFailure(sql: Sql, userId: UserId): Promise<void> {
  const over = `failures = 0 OR failing_since < now() - interval '${FAILING_MINUTES} minutes'`;
  await sql.query(
    `UPDATE second_factors SET failures = CASE WHEN ${over} THEN 1 ELSE failures + 1 END,
       failing_since = CASE WHEN ${over} THEN now() ELSE failing_since END WHERE user_id = $1`,
    [userId],
  );
}

/** Those of a user's first factor. @returns false where the user has some from another factor, which stay. */
export async function keepRecovery(sql: Sql, userId: UserId, hashes: readonly Buffer[]): Promise<boolean> {
  const rows = await sql.query(
    `INSERT INTO second_factors AS factors (user_id, recovery_hashes) VALUES ($1, $2)
     ON CONFLICT (user_id) DO UPDATE SET recovery_hashes = excluded.recovery_hashes, failures = 0
     WHERE factors.confirmed_at IS NULL AND (SELECT count(*) FROM passkeys WHERE user_id = $1) < 2
     RETURNING user_id`,
    [userId, hashes],
  );
  return rows.length === 1;
}

/** Without a factor, recovery codes are good for nothing. */
export async function dropLoneRecovery(sql: Sql, userId: UserId): Promise<void> {
  await sql.query(`DELETE FROM second_factors WHERE user_id = $1 AND NOT ${hasFactorSql('$1')}`, [userId]);
}

/** The authenticator app alone: passkeys and the recovery codes stay. @returns whether there was one. */
export async function deleteApp(sql: Sql, userId: UserId): Promise<boolean> {
  const rows = await sql.query(
    `UPDATE second_factors SET secret_sealed = NULL, confirmed_at = NULL, last_step = 0
     WHERE user_id = $1 AND secret_sealed IS NOT NULL RETURNING user_id`,
    [userId],
  );
  await sql.query(`DELETE FROM half_log_ins WHERE user_id = $1`, [userId]);
  await dropLoneRecovery(sql, userId);
  return rows.length === 1;
}

/** Every factor of the user. @returns whether there was one, confirmed or not. */
export async function deleteFactor(sql: Sql, userId: UserId): Promise<boolean> {
  const rows = await sql.query(
    `WITH halves AS (DELETE FROM half_log_ins WHERE user_id = $1),
       keys AS (DELETE FROM passkeys WHERE user_id = $1 RETURNING user_id),
       codes AS (DELETE FROM second_factors WHERE user_id = $1 RETURNING user_id)
     SELECT FROM keys UNION ALL SELECT FROM codes`,
    [userId],
  );
  return rows.length > 0;
}

export interface HalfLogIn {
  readonly userId: UserId;
  /** Null: none was checked. */
  readonly passwordHash: string | null;
  /** Null: no provider let the user in. */
  readonly provider: SessionLink | null;
}

/**
 * Under the user's lock.
 * A log-in without its code yet lives in `half_log_ins`, for five minutes. If its owner dies, the row stays: the person
 * gives the code within that time, or logs in again.
 */
export async function insertHalf(
  sql: Sql,
  secret: string,
  { userId, passwordHash, provider }: HalfLogIn,
): Promise<void> {
  await sql.query(
    `WITH gone AS (
       DELETE FROM half_log_ins WHERE user_id = $2 AND (expires_at <= now() OR secret_hash IN (
         SELECT secret_hash FROM half_log_ins WHERE user_id = $2 ORDER BY expires_at DESC OFFSET ${MAX_HALVES - 1}))
     )
     INSERT INTO half_log_ins (secret_hash, user_id, password_hash, provider_id, provider_sealed, expires_at)
     VALUES ($1, $2, $3, $4, $5, now() + make_interval(secs => ${HALF_SECONDS}))`,
    [hashSecret(secret), userId, passwordHash, provider?.providerId ?? null, provider?.sealed ?? null],
  );
}

interface HalfRow {
  readonly user_id: number;
  readonly password_hash: string | null;
  readonly provider_id: number | null;
  readonly provider_sealed: Buffer | null;
}

export async function findHalf(sql: Sql, secret: string): Promise<HalfLogIn | null> {
  const [row] = await sql.query<HalfRow>(
    `SELECT user_id, password_hash, provider_id, provider_sealed FROM half_log_ins
     WHERE secret_hash = $1 AND expires_at > now()`,
    [hashSecret(secret)],
  );
  if (row === undefined) return null;
  const provider =
    row.password_hash === null ? { providerId: row.provider_id, sealed: row.provider_sealed } : null;
  return { userId: toId(row.user_id), passwordHash: row.password_hash, provider };
}

/** @returns false where another request completed it. */
export async function takeHalf(sql: Sql, secret: string): Promise<boolean> {
  const rows = await sql.query(`DELETE FROM half_log_ins WHERE secret_hash = $1 RETURNING user_id`, [
    hashSecret(secret),
  ]);
  return rows.length === 1;
}
