import type { lateStages } from '../../telemetry/metric-register.ts';
import type { Sql } from '../sql.ts';

/**
 * How long the oldest due work has waited, in seconds: a scheduled delivery for its start, a queued one for its
 * plan, a shard on the log or with an engine that is gone for another engine. One that is paced or throttled is
 * not due. Each figure reads an index of open rows.
 */
export async function readLate(
  sql: Sql,
): Promise<Readonly<Partial<Record<(typeof lateStages)[number], number>>>> {
  const rows = await sql.query<{ stage: string; seconds: number }>(
    `SELECT stage, greatest(extract(epoch FROM now() - since), 0)::float8 AS seconds FROM (
       SELECT 'start' AS stage, min(scheduled_at) AS since FROM deliveries WHERE status = 'scheduled'
       UNION ALL
       SELECT 'plan', min(queued_at) FROM deliveries WHERE status = 'queued'
       UNION ALL
       SELECT 'dispatch', min(due_at) FROM shards WHERE state IN ('released', 'running')
     ) AS oldest WHERE since IS NOT NULL`,
  );
  return Object.fromEntries(rows.map(({ stage, seconds }) => [stage, seconds]));
}
