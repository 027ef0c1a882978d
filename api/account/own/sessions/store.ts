import type { Sql } from '../../../../engine/adapters/postgres/sql.ts';
import type { UserId } from '../../../../engine/contract/ids.ts';
import { hashSecret } from '../../../../engine/kit/http/token.ts';
import { lasts } from '../../../auth/session-store.ts';

export interface ListedSession {
  readonly id: number;
  readonly browser: string | null;
  readonly address: string | null;
  /** Whether it is the one that asks. */
  readonly current: boolean;
  readonly created_at: Date;
  readonly last_used_at: Date;
}

/** Newest use first. There are few: the oldest gives way to a new one. @param secret of the session that asks. */
export const listSessions = (sql: Sql, userId: UserId, secret: string): Promise<ListedSession[]> =>
  sql.query<ListedSession>(
    `SELECT id, browser, host(address) AS address, secret_hash = $2 AS current, created_at, last_used_at
     FROM sessions WHERE user_id = $1 AND ${lasts} ORDER BY last_used_at DESC, id DESC`,
    [userId, hashSecret(secret)],
  );

/** @returns false where the user has no such session. */
export async function endOwnSession(sql: Sql, userId: UserId, id: number): Promise<boolean> {
  const rows = await sql.query(`DELETE FROM sessions WHERE id = $2 AND user_id = $1 RETURNING id`, [
    userId,
    id,
  ]);
  return rows.length === 1;
}
