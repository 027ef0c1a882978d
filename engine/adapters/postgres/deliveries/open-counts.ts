import type { Sql } from '../sql.ts';

/** The open work of the whole installation, over all engines. Each figure reads an index of open rows. */
export type Counts = Readonly<Record<string, number>>;

export async function countOpenDeliveries(sql: Sql): Promise<Counts> {
  const rows = await sql.query<{ status: string; count: number }>(
    `SELECT status, count(*)::int AS count FROM deliveries
     WHERE status IN ('pending', 'scheduled', 'queued', 'processing') GROUP BY status`,
  );
  return Object.fromEntries(rows.map(({ status, count }) => [status, count]));
}

export async function countOpenShards(sql: Sql): Promise<Counts> {
  const rows = await sql.query<{ state: string; count: number }>(
    `SELECT state, count(*)::int AS count FROM shards WHERE state IN ('released', 'running', 'waiting') GROUP BY state
     UNION ALL
     SELECT 'planned', count(*)::int FROM shards WHERE state = 'planned'`,
  );
  return Object.fromEntries(rows.map(({ state, count }) => [state, count]));
}

/**
 * Messages that are still to be sent in shards that have not ended. Those of shards that a delivery's rate holds back
 * are apart: no further engine would send them sooner.
 */
export async function countOpenTargets(sql: Sql): Promise<Counts> {
  const left =
    'greatest(planned_targets - shards.accepted_count - shards.failed_count - shards.capped_count, 0)';
  const rows = await sql.query<{ state: string; count: number }>(
    `SELECT state, sum(${left})::float8 AS count FROM shards WHERE state IN ('released', 'running', 'waiting')
     GROUP BY state
     UNION ALL
     SELECT CASE WHEN rate_per_minute IS NULL THEN 'planned' ELSE 'paced' END, sum(${left})::float8
     FROM shards JOIN deliveries ON deliveries.id = delivery_id WHERE state = 'planned' GROUP BY 1`,
  );
  return Object.fromEntries(rows.map(({ state, count }) => [state, count]));
}
