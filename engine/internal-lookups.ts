import type { Analytics } from './adapters/clickhouse/analytics.ts';
import type { Database } from './adapters/postgres/database.ts';
import { sumShards } from './adapters/postgres/shard-sums.ts';
import { createProgressStreams, type ProgressStreams } from './adapters/telemetry/progress-streams.ts';
import { type AppId, type DeliveryId, toId } from './contract/ids.ts';

interface Counts {
  readonly id: DeliveryId;
  readonly app_id: AppId;
  readonly status: string;
  readonly total_subscribers: number;
  readonly capped_subscribers: number;
  readonly success_count: number;
  readonly failed_count: number;
}

/**
 * What the internal listener tells of a delivery while it runs:
 * `/deliveries/{id}` from Postgres, `/deliveries/{id}/recorded` from ClickHouse. Null for any other path.
 */
export function createInternalLookUp(database: Database, analytics: Analytics) {
  return async function lookUp(path: string): Promise<object | null> {
    const [, id, page] = /^\/deliveries\/([1-9]\d{0,14})(\/recorded)?$/.exec(path) ?? [];
    if (id === undefined) return null;
    const counts = await readCounts(database, toId(id));
    if (counts === null || page === undefined) return counts;
    const totals = await analytics.deliveryTotals(counts.app_id, counts.id);
    return { accepted: totals.acceptedSubscribers, attempts: totals.attempts };
  };
}

const PROGRESS_EVERY_MS = 1_000;
/** Half of what the listener takes: monitors must get through. */
const MAX_STREAMS = 32;

/** Streams of what `/deliveries/{id}` tells. */
export const createInternalStreams = (database: Database): ProgressStreams =>
  createProgressStreams({
    read: ({ id }) => readCounts(database, toId(id)),
    everyMs: PROGRESS_EVERY_MS,
    maxStreams: MAX_STREAMS,
  });

/** While a delivery runs its counters are the sums over its shards. */
async function readCounts(database: Database, id: DeliveryId): Promise<Counts | null> {
  const [row] = await database.query<Counts & { readonly completed_at: Date | null }>(
    `SELECT id, app_id, status, total_subscribers, capped_subscribers, success_count, failed_count, completed_at
     FROM deliveries WHERE id = $1`,
    [id],
  );
  if (row === undefined) return null;
  const { completed_at, ...counts } = row;
  if (completed_at !== null) return counts;
  const sums = (await sumShards(database, [id])).get(id);
  if (sums === undefined) return counts;
  return {
    ...counts,
    total_subscribers: Math.max(counts.total_subscribers, sums.audience),
    capped_subscribers: sums.capped,
    success_count: sums.accepted,
    failed_count: sums.failed,
  };
}
