import type { Analytics } from '../adapters/clickhouse/analytics.ts';
import type { Database } from '../adapters/postgres/database.ts';
import { withLiveCounts } from '../adapters/postgres/deliveries/shard-sums.ts';
import type { DeliveryStatus } from '../contract/delivery.ts';
import { type AppId, type DeliveryId, toId } from '../contract/ids.ts';
import { createProgressStreams, type ProgressStreams } from '../kit/roles/progress-streams.ts';

interface Counts {
  readonly id: DeliveryId;
  readonly app_id: AppId;
  readonly status: DeliveryStatus;
  readonly total_subscribers: number;
  readonly capped_subscribers: number;
  readonly guarded_subscribers: number;
  readonly wished_subscribers: number;
  readonly success_count: number;
  readonly failed_count: number;
}

/**
 * The internal listener's view of a running delivery: `/deliveries/{id}` from Postgres,
 * `/deliveries/{id}/recorded` from ClickHouse. Null for any other path.
 */
export function createInternalLookup(database: Database, analytics: Pick<Analytics, 'deliveryTotals'>) {
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
/** Half of the listener's connections: monitoring must get through. */
const MAX_STREAMS = 32;

/** Streams of the answer of `/deliveries/{id}`. */
export const createInternalStreams = (database: Database): ProgressStreams =>
  createProgressStreams({
    read: ({ id }) => readCounts(database, toId(id)),
    everyMs: PROGRESS_EVERY_MS,
    maxStreams: MAX_STREAMS,
  });

async function readCounts(database: Database, id: DeliveryId): Promise<Counts | null> {
  const rows = await database.query<Counts & { readonly ambiguous: number }>(
    `SELECT id, app_id, status, total_subscribers, capped_subscribers, guarded_subscribers, wished_subscribers, success_count, failed_count,
       ambiguous_count AS ambiguous
     FROM deliveries WHERE id = $1`,
    [id],
  );
  const [row] = await withLiveCounts(database, rows);
  if (row === undefined) return null;
  const { ambiguous: _, ...counts } = row;
  return counts;
}
