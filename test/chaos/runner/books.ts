import { withLiveCounts } from '../../../engine/adapters/postgres/deliveries/shard-sums.ts';
import { bitsOf } from '../../../engine/contract/bitmap.ts';
import type { DeliveryStatus } from '../../../engine/contract/delivery.ts';
import type { AppId, DeliveryId } from '../../../engine/contract/ids.ts';
import type { LedgerTotals } from '../../support/push-service/ledger-run.ts';
import { type Corrected, type CorrectionBook, readCorrection } from './corrections.ts';
import type { WebhookBook, WebhookReceiver } from './webhook-receiver.ts';
import type { World } from './world.ts';

/** Postgres' counts of one delivery. */
export interface PostgresBook {
  readonly id: DeliveryId;
  readonly status: DeliveryStatus;
  readonly total_subscribers: number;
  readonly success_count: number;
  readonly failed_count: number;
  readonly capped_subscribers: number;
  readonly guarded_subscribers: number;
  readonly wished_subscribers: number;
  readonly error_message: string | null;
  /** Answers that leave open whether the push service had taken the message. */
  readonly ambiguous: number;
}

/** ClickHouse's counts of it. */
export interface ClickHouseBook {
  readonly acceptedSubscribers: number | null;
  /** By the roll-up that analytics read. */
  readonly acceptedAttempts: number;
  readonly failedMessages: number;
}

/** The three books of a run, and what is still under way. */
export interface Books {
  readonly deliveries: readonly (PostgresBook & { readonly clickhouse: ClickHouseBook })[];
  readonly ledger: LedgerTotals;
  readonly outboxRows: number;
  readonly openShards: number;
  readonly deadLetters: number;
  /** Each send reaches every reader once: a delivery, or those of a campaign. */
  readonly sends: readonly SendBook[];
  /** The most sends that one subscriber was in, by the maps of the blocks. */
  readonly mostAccepted: number;
  /** Null: nothing was corrected. */
  readonly correction: CorrectionBook | null;
  readonly webhooks: WebhookBook;
}

/** What was posted. */
export interface Posted {
  readonly sends: readonly (readonly DeliveryId[])[];
  readonly corrected: Corrected | null;
}

export interface SendBook {
  readonly deliveryIds: readonly DeliveryId[];
  /** The most of its deliveries that one subscriber was sent. */
  readonly mostAccepted: number;
}

/** Of one run's app; a run has a few. */
const MOST_DELIVERIES = 10_000;

const over = new Set(['success', 'partial', 'failed', 'cancelled']);

export async function readBooks(
  world: World,
  appId: AppId,
  { sends, corrected }: Posted,
  webhooks: WebhookReceiver,
): Promise<Books> {
  const { database, analytics, pushService } = world;
  const sentIds = sends.flat();
  const deliveryIds = corrected === null ? sentIds : [...sentIds, corrected.wrong, corrected.correction];
  const stored = await database.query<PostgresBook>(
    `SELECT id, status, total_subscribers, success_count, failed_count, capped_subscribers, guarded_subscribers, wished_subscribers, error_message,
       coalesce((SELECT sum(unknown_count) FROM shards WHERE delivery_id = deliveries.id), 0)::int AS ambiguous
     FROM deliveries WHERE id = ANY($1::bigint[]) ORDER BY id`,
    [deliveryIds],
  );
  // Blocks that were in flight at a cancel count in the shards alone.
  const rows = await withLiveCounts(database, stored);
  const [left] = await database.query<{ outbox: number; shards: number }>(
    `SELECT (SELECT count(*) FROM outbox)::int AS outbox,
       (SELECT count(*) FROM shards WHERE state NOT IN ('settled', 'stopped'))::int AS shards`,
  );
  const deliveries = [];
  const ended = await analytics.endedFrom(appId, Math.min(...deliveryIds) as DeliveryId, MOST_DELIVERIES);
  for (const row of rows) {
    const { acceptedSubscribers } = await analytics.deliveryTotals(appId, row.id);
    const { accepted, failed } = ended.get(row.id) ?? { accepted: 0, failed: 0 };
    const clickhouse = { acceptedSubscribers, acceptedAttempts: accepted, failedMessages: failed };
    deliveries.push({ ...row, clickhouse });
  }
  return {
    deliveries,
    ledger: await pushService.ledger(),
    outboxRows: left?.outbox ?? -1,
    openShards: left?.shards ?? -1,
    sends: await Promise.all(
      sends.map(async (ids) => ({
        deliveryIds: ids,
        mostAccepted: await readMostAccepted(world, appId, ids),
      })),
    ),
    mostAccepted: await readMostAccepted(world, appId, sentIds),
    correction: corrected === null ? null : await readCorrection(world, corrected),
    webhooks: await webhooks.book(),
    deadLetters: world.log === 'pgboss' ? await countDeadLetters(world) : 0,
  };
}

/** No message of ours is poison: a buried one was charged for another's fault. */
async function countDeadLetters({ database }: World): Promise<number> {
  const [row] = await database.query<{ dead: number }>(
    `SELECT count(*)::int AS dead FROM broadside_log.job WHERE name LIKE '%.dead'`,
  );
  return row?.dead ?? 0;
}

async function readMostAccepted(
  { database }: World,
  appId: AppId,
  deliveryIds: readonly DeliveryId[],
): Promise<number> {
  const rows = await database.query<{ block: number; accepted: Uint8Array }>(
    'SELECT block, accepted FROM blocks WHERE app_id = $1 AND delivery_id = ANY($2::bigint[])',
    [appId, deliveryIds],
  );
  const counts = new Map<number, number>();
  for (const { block, accepted } of rows) {
    for (const seq of bitsOf(accepted, block)) counts.set(seq, (counts.get(seq) ?? 0) + 1);
  }
  return Math.max(0, ...new Set(counts.values()));
}

/** Whether nothing more will happen: everything ended, and every book was written to its end. */
export const isQuiet = ({ deliveries, outboxRows, openShards, webhooks }: Books): boolean =>
  outboxRows === 0 &&
  webhooks.waiting === 0 &&
  openShards === 0 &&
  deliveries.every(
    ({ status, success_count, clickhouse }) =>
      over.has(status) &&
      clickhouse.acceptedSubscribers === success_count &&
      clickhouse.acceptedAttempts >= success_count,
  );
