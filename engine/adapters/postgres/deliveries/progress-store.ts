import type { DeliveryId } from '../../../contract/ids.ts';
import type { Sql } from '../sql.ts';

/** Between two samples of a delivery, and how far back a rate looks. */
const SAMPLE_EVERY_MS = 2_000;
const WINDOW_SECONDS = 30;

/** How far a delivery was, some time ago. */
export interface ProgressSample {
  /** Accepted, failed permanently or capped by then. */
  readonly ended: number;
  readonly ageSeconds: number;
}

/** Older ones are removed. */
const KEPT_SECONDS = WINDOW_SECONDS + 10;
const isWithin = (ms: number): string => `at > now() - interval '${ms} milliseconds'`;
const isOutdated = `at < now() - interval '${KEPT_SECONDS} seconds'`;

export const samplesAreDue = `NOT EXISTS (SELECT FROM progress_samples WHERE ${isWithin(SAMPLE_EVERY_MS)}) AND (
  EXISTS (SELECT FROM deliveries WHERE status = 'processing') OR EXISTS (SELECT FROM progress_samples WHERE ${isOutdated}))`;

/**
 * Writes down how far every running delivery is. Any number of engines may call it: one of them does it, and
 * none where it was just done. Samples beyond the window are removed, so there are some 20 a delivery.
 */
export async function sampleProgress(sql: Sql): Promise<void> {
  await sql.query(
    `WITH turn AS MATERIALIZED (
       SELECT 1 WHERE pg_try_advisory_xact_lock(hashtextextended('progress samples', 0))
         AND NOT EXISTS (SELECT FROM progress_samples WHERE ${isWithin(SAMPLE_EVERY_MS / 2)})
     ), outdated AS (
       DELETE FROM progress_samples USING turn WHERE ${isOutdated}
     )
     INSERT INTO progress_samples (delivery_id, at, ended)
     SELECT deliveries.id, now(), sum(accepted_count + shards.failed_count + capped_count)
     FROM turn, deliveries JOIN shards ON shards.delivery_id = deliveries.id
     WHERE status = 'processing' GROUP BY deliveries.id
     ON CONFLICT DO NOTHING`,
  );
}

/** The oldest sample of the window; null where there is none. */
export async function readSample(sql: Sql, deliveryId: DeliveryId): Promise<ProgressSample | null> {
  const [row] = await sql.query<ProgressSample>(
    `SELECT ended, extract(epoch FROM now() - at)::float8 AS "ageSeconds" FROM progress_samples
     WHERE delivery_id = $1 AND at > now() - make_interval(secs => $2) ORDER BY at LIMIT 1`,
    [deliveryId, WINDOW_SECONDS],
  );
  return row ?? null;
}
