import type { Sql } from '../../../engine/adapters/postgres/sql.ts';
import type { AppId } from '../../../engine/contract/ids.ts';

export const PERMISSION_DAYS = 90;

export interface PermissionCounts {
  readonly revoked: number;
  readonly won_back: number;
}

/** Of readers who were found to have lost the permission in the last days. */
export async function readPermissions(sql: Sql, appId: AppId): Promise<PermissionCounts> {
  const [row] = await sql.query<PermissionCounts>(
    `SELECT coalesce(sum(revoked), 0)::bigint AS revoked, coalesce(sum(won_back), 0)::bigint AS won_back
     FROM permission_days WHERE app_id = $1 AND day > (now() AT TIME ZONE 'UTC')::date - ${PERMISSION_DAYS}`,
    [appId],
  );
  return row ?? { revoked: 0, won_back: 0 };
}
