import type { ClickHouse } from '../../../engine/adapters/clickhouse/clickhouse.ts';
import { withLiveCounts } from '../../../engine/adapters/postgres/deliveries/shard-sums.ts';
import type { Sql } from '../../../engine/adapters/postgres/sql.ts';
import type { DeliveryStatus } from '../../../engine/contract/delivery.ts';
import type { DeliveryId } from '../../../engine/contract/ids.ts';
import { outcomeCode } from '../../../engine/contract/outcome.ts';
import { unpackBlockOutcomes } from '../../../engine/contract/packed-outcomes.ts';

/** A delivery whose accepted messages are not the same in Postgres and, with the outbox, in ClickHouse. */
export interface Difference {
  readonly delivery: DeliveryId;
  readonly app: string;
  readonly status: DeliveryStatus;
  readonly in_postgres: number;
  readonly in_clickhouse: number;
  /** Counted in Postgres, and on their way. */
  readonly in_outbox: number;
}

/** A delivery that goes on when a role starts. */
export interface Unfinished {
  readonly delivery: DeliveryId;
  readonly app: string;
  readonly status: DeliveryStatus;
  readonly total: number;
  readonly accepted: number;
  readonly failed: number;
}

export interface Compared {
  readonly compared: number;
  readonly differences: readonly Difference[];
  readonly unfinished: readonly Unfinished[];
}

/** The newest: what is older ended long before the backup. */
const MOST_DELIVERIES = 10_000;
const OUTBOX_PAGE = 500;

/** The books of a Broadside that does not run. */
export async function compareBooks(sql: Sql, { client }: ClickHouse): Promise<Compared> {
  const deliveries = await readDeliveries(sql);
  const oldest = Math.min(...deliveries.map(({ id }) => id), Number.MAX_SAFE_INTEGER);
  const answer = await client.query({
    query: `SELECT delivery_id AS id, sum(attempts) AS accepted FROM outcomes_by_day
      WHERE outcome = 'accepted' AND delivery_id >= {oldest:UInt64} GROUP BY delivery_id`,
    query_params: { oldest },
    format: 'JSONEachRow',
  });
  const rows = await answer.json<{ id: string | number; accepted: string | number }>();
  const recorded = new Map(rows.map(({ id, accepted }) => [Number(id), Number(accepted)]));
  const waiting = await countOutbox(sql);
  const differences = deliveries
    .map(({ id, app, status, success_count }) => ({
      ...{ delivery: id, app, status, in_postgres: success_count },
      in_clickhouse: recorded.get(id) ?? 0,
      in_outbox: waiting.get(id) ?? 0,
    }))
    .filter((one) => one.in_postgres !== one.in_clickhouse + one.in_outbox);
  const unfinished = deliveries
    .filter(({ status }) => goesOn.has(status))
    .map(({ id, app, status, total_subscribers: total, success_count: accepted, failed_count: failed }) => ({
      ...{ delivery: id, app, status, total, accepted, failed },
    }));
  return { compared: deliveries.length, differences, unfinished };
}

const goesOn: ReadonlySet<DeliveryStatus> = new Set(['scheduled', 'pending', 'queued', 'processing']);

interface Row {
  readonly id: DeliveryId;
  readonly app: string;
  readonly status: DeliveryStatus;
  readonly total_subscribers: number;
  readonly success_count: number;
  readonly failed_count: number;
  readonly capped_subscribers: number;
  readonly guarded_subscribers: number;
  readonly wished_subscribers: number;
  readonly ambiguous: number;
}

/** Of a rehearsal or a test nothing is recorded in ClickHouse. */
const readDeliveries = async (sql: Sql): Promise<Row[]> =>
  withLiveCounts(
    sql,
    await sql.query<Row>(
      `SELECT deliveries.id, apps.identifier AS app, status, total_subscribers, success_count, failed_count,
         capped_subscribers, guarded_subscribers, wished_subscribers, ambiguous_count AS ambiguous
       FROM deliveries JOIN apps ON apps.id = app_id
       WHERE NOT rehearsal AND NOT test ORDER BY deliveries.id DESC LIMIT $1`,
      [MOST_DELIVERIES],
    ),
  );

async function countOutbox(sql: Sql): Promise<ReadonlyMap<number, number>> {
  const counts = new Map<number, number>();
  for (let after = 0; ; ) {
    const rows = await sql.query<{ id: number; packed: Buffer }>(
      `SELECT id, packed FROM outbox WHERE topic IN ('outcomes', 'refused.outcomes') AND id > $1 ORDER BY id LIMIT $2`,
      [after, OUTBOX_PAGE],
    );
    for (const { packed } of rows) {
      const { deliveryId, outcomes } = unpackBlockOutcomes(packed);
      const accepted = outcomes.filter((one) => one === outcomeCode.accepted).length;
      counts.set(deliveryId, (counts.get(deliveryId) ?? 0) + accepted);
    }
    if (rows.length < OUTBOX_PAGE) return counts;
    after = rows.at(-1)?.id ?? after;
  }
}
