import type { Sql } from '../../engine/adapters/postgres/sql.ts';
import type { UserId } from '../../engine/contract/ids.ts';
import { hashSecret } from '../../engine/kit/http/token.ts';
import { abilities } from './abilities.ts';
import {
  type Admission,
  type AdmissionRow,
  admissionOf,
  roleColumns,
  USE_NOTED_SECONDS,
} from './admission.ts';
import { hasFactorSql } from './factor-sql.ts';
import type { SessionPlace } from './session-place.ts';

/** A session that is not used ends after this time. */
const IDLE_SECONDS = 24 * 3_600;
/** However much it is used. */
export const SESSION_SECONDS = 30 * 24 * 3_600;
/** Browsers of one user; the oldest session gives way. */
const MAX_SESSIONS = 20;

/** Whether a session has not ended. */
export const lasts = `created_at > now() - make_interval(secs => ${SESSION_SECONDS})
  AND last_used_at > now() - make_interval(secs => ${IDLE_SECONDS})`;

/**
 * Whether the user of a session is one whom its provider may vouch for: that of an organization, users of this
 * organization who are not operators. Asked at each request, for who rises or moves stays logged in.
 * @param providerId null in SQL: no organization's provider began it.
 */
export const mayVouchSql = (providerId: string): string =>
  `(${providerId} IS NULL OR EXISTS (SELECT FROM identity_providers WHERE id = ${providerId} AND enabled
     AND organization_id = users.organization_id AND users.role <> 'super-admin'))`;

/**
 * As `admitToken`, by a session. It holds every ability: what of them its user may use on an app, or in the
 * organization, their role there says, for sessions and tokens alike.
 */
export async function admitSession(sql: Sql, secret: string, most: number): Promise<Admission | null> {
  const [row] = await sql.query<AdmissionRow>(
    `WITH caller AS MATERIALIZED (
       SELECT NULL::integer AS token_id, $4::text[] AS abilities, NULL::integer[] AS app_ids, user_id, organization_id, ${roleColumns},
         second_factor_required AND NOT ${hasFactorSql('users.id')} AS lacks_factor,
         last_used_at < now() - make_interval(secs => $2) AS stale
       FROM (SELECT user_id, last_used_at, provider_id FROM sessions WHERE secret_hash = $1 AND ${lasts}) AS session
       JOIN users ON users.id = user_id AND ${mayVouchSql('provider_id')}
       JOIN organizations ON organizations.id = organization_id
     )
     SELECT caller.*, hit.* FROM caller, take_hit(user_id, 'session', $3) AS hit`,
    [hashSecret(secret), USE_NOTED_SECONDS, most, abilities],
  );
  return row === undefined ? null : admissionOf(row, 'session');
}

export async function noteSessionUse(sql: Sql, secret: string): Promise<void> {
  await sql.query(`UPDATE sessions SET last_used_at = now() WHERE secret_hash = $1`, [hashSecret(secret)]);
}

export interface NewSession {
  readonly userId: UserId;
  /** That was checked; null: none was. */
  readonly passwordHash: string | null;
  readonly secret: string;
  readonly place: SessionPlace;
  /** That let the user in; null: none did. */
  readonly provider: { readonly providerId: number | null; readonly sealed: Buffer | null } | null;
}

/**
 * Begins a session, unless the password is no longer the checked one, or the provider may not vouch for the user. Also deletes the user's expired sessions,
 * so that no sweep is needed.
 */
export async function insertSession(sql: Sql, session: NewSession): Promise<boolean> {
  const rows = await sql.query(
    `WITH gone AS (
       DELETE FROM sessions WHERE user_id = $1 AND (NOT (${lasts}) OR secret_hash IN (
         SELECT secret_hash FROM sessions WHERE user_id = $1 ORDER BY created_at DESC OFFSET ${MAX_SESSIONS - 1}))
     )
     INSERT INTO sessions (secret_hash, user_id, browser, address, provider_id, provider_sealed)
     SELECT $2, id, $4, $5::inet, $6, $7 FROM users
     WHERE id = $1 AND ($3::text IS NULL OR password_hash = $3) AND ${mayVouchSql('$6::integer')} RETURNING user_id`,
    [
      session.userId,
      hashSecret(session.secret),
      session.passwordHash,
      session.place.browser,
      session.place.address,
      session.provider?.providerId ?? null,
      session.provider?.sealed ?? null,
    ],
  );
  return rows.length === 1;
}

/** Whether the session began within these seconds. */
export async function isYoung(sql: Sql, secret: string, seconds: number): Promise<boolean> {
  const rows = await sql.query(
    `SELECT FROM sessions WHERE secret_hash = $1 AND created_at > now() - make_interval(secs => $2)`,
    [hashSecret(secret), seconds],
  );
  return rows.length === 1;
}

/** @returns the session's user; null where it had ended. */
export async function endSession(sql: Sql, secret: string): Promise<number | null> {
  const [row] = await sql.query<{ user_id: number }>(
    `DELETE FROM sessions WHERE secret_hash = $1 RETURNING user_id`,
    [hashSecret(secret)],
  );
  return row?.user_id ?? null;
}

/** Ends the user's sessions but the one with this secret; null spares none. */
export async function endSessionsBut(sql: Sql, userId: UserId, secret: string | null): Promise<void> {
  await sql.query(`DELETE FROM sessions WHERE user_id = $1 AND secret_hash IS DISTINCT FROM $2`, [
    userId,
    secret === null ? null : hashSecret(secret),
  ]);
}
