import type { ClickHouse } from '../../../engine/adapters/clickhouse/clickhouse.ts';
import type { Database } from '../../../engine/adapters/postgres/database.ts';
import { claimFinalDays } from '../../../engine/adapters/postgres/final-days.ts';
import { domainsOfSource } from '../../report/source-domains.ts';

interface Wanting {
  readonly id: number;
  readonly domains: readonly string[];
}

/**
 * Queues `reports.final` for the next days that became final: for webhooks of organizations of whose domains the source has
 * rows. One transaction: each once and in order, and none if it is killed.
 * @returns how many events were claimed, 0 or 1.
 */
export const queueFinalWebhooks = (
  database: Database,
  clickhouse: Pick<ClickHouse, 'client'>,
): Promise<number> =>
  database.transaction(async (sql) => {
    const [days] = await claimFinalDays(sql, 'webhooks', 1);
    if (days === undefined) return 0;
    const wanting = await sql.query<Wanting>(
      `SELECT endpoints.id, array_agg(revenue.domain) AS domains
       FROM webhook_endpoints AS endpoints JOIN revenue_domains AS revenue
         ON revenue.organization_id = endpoints.organization_id
       WHERE endpoints.enabled AND 'reports.final' = ANY(endpoints.types) GROUP BY endpoints.id`,
    );
    if (wanting.length === 0) return 1;
    const all = new Set(wanting.flatMap(({ domains }) => domains));
    const known = await domainsOfSource(sql, clickhouse, days, all);
    const concerned = wanting.filter(({ domains }) => domains.some((domain) => known.has(domain)));
    await sql.query(
      `INSERT INTO webhook_messages (endpoint_id, type, subject, data)
       SELECT id, 'reports.final', 'reports', jsonb_build_object('source', $2::text, 'first_day', $3::text,
         'last_day', $4::text, 'said_by', $5::text) FROM unnest($1::bigint[]) AS endpoint (id)`,
      [concerned.map(({ id }) => id), days.source, days.firstDay, days.lastDay, days.saidBy],
    );
    return 1;
  });
