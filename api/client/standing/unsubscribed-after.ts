import type { Sql } from '../../../engine/adapters/postgres/sql.ts';
import type { AppId, DeliveryId } from '../../../engine/contract/ids.ts';
import { countLeftAfter, LEFT_WITHIN_HOURS, leftOf } from '../deliveries/create/left-after.ts';

export const PUSHES = 20;
const HOUR_MS = 3_600_000;

interface Push {
  readonly id: DeliveryId;
  readonly identifier: string;
  readonly title: string;
  readonly started_at: Date;
  readonly accepted: number;
}

export interface UnsubscribedAfter extends Push {
  /** Null: the app may have deleted some of them. */
  readonly unsubscribed: number | null;
  /** The 48 hours are not over. */
  readonly open: boolean;
}

/** Of each of the newest deliveries, the readers it was accepted for who left within 48 hours of its start. */
export async function readUnsubscribedAfter(
  sql: Sql,
  appId: AppId,
  nowMs: number,
): Promise<UnsubscribedAfter[]> {
  const counted: UnsubscribedAfter[] = [];
  for (const push of await listPushes(sql, appId)) {
    const { id, started_at: startedAt } = push;
    const unsubscribed = leftOf(await countLeftAfter(sql, appId, id, startedAt), startedAt, nowMs);
    const open = nowMs < startedAt.getTime() + LEFT_WITHIN_HOURS * HOUR_MS;
    counted.push({ ...push, unsubscribed, open });
  }
  return counted;
}

/** That reached anybody, newest first. */
const listPushes = (sql: Sql, appId: AppId): Promise<Push[]> =>
  sql.query<Push>(
    `SELECT id, identifier, title, started_at, coalesce(live.accepted, success_count)::int AS accepted
     FROM deliveries LEFT JOIN LATERAL (
       SELECT sum(accepted_count) AS accepted FROM shards WHERE delivery_id = deliveries.id
     ) AS live ON status IN ('processing', 'cancelled')
     WHERE app_id = $1 AND started_at IS NOT NULL AND NOT rehearsal AND NOT test
       AND coalesce(live.accepted, success_count) > 0
     ORDER BY id DESC LIMIT ${PUSHES}`,
    [appId],
  );
