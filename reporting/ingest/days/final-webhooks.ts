import type { ClickHouse } from '../../../engine/adapters/clickhouse/clickhouse.ts';
import { visibleRows } from '../../../engine/adapters/clickhouse/visible-rows.ts';
import { readLedger } from '../../../engine/adapters/postgres/ad-ledger.ts';
import type { Database } from '../../../engine/adapters/postgres/database.ts';
import { claimFinalDays, type FinalDays } from '../../../engine/adapters/postgres/final-days.ts';
import type { Sql } from '../../../engine/adapters/postgres/sql.ts';
import { dayText, knownDay } from '../../../engine/contract/days.ts';
import { createParameters, textArray } from '../../report/parameters.ts';

interface Wanting {
  readonly id: number;
  readonly domains: readonly string[];
}

/** A source is known to an organization by rows of its domains on these days, or not longer before. */
const KNOWN_DAYS = 35;

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
    const known = await domainsOf(sql, clickhouse, days, [
      ...new Set(wanting.flatMap(({ domains }) => domains)),
    ]);
    const concerned = wanting.filter(({ domains }) => domains.some((domain) => known.has(domain)));
    await sql.query(
      `INSERT INTO webhook_messages (endpoint_id, type, subject, data)
       SELECT id, 'reports.final', 'reports', jsonb_build_object('source', $2::text, 'first_day', $3::text,
         'last_day', $4::text, 'said_by', $5::text) FROM unnest($1::bigint[]) AS endpoint (id)`,
      [concerned.map(({ id }) => id), days.source, days.firstDay, days.lastDay, days.saidBy],
    );
    return 1;
  });

/** Of these domains (each with all below it, `*` is any), those of which the source has rows that count. */
async function domainsOf(
  sql: Sql,
  { client }: Pick<ClickHouse, 'client'>,
  { source, firstDay, lastDay }: FinalDays,
  domains: readonly string[],
): Promise<ReadonlySet<string>> {
  const range = {
    firstDay: dayText(knownDay(firstDay) - KNOWN_DAYS),
    lastDay: dayText(knownDay(lastDay) + 1),
  };
  const visible = visibleRows(await readLedger(sql, range));
  const parameters = createParameters(visible.params);
  const query = `SELECT DISTINCT arrayJoin(arrayFilter(
      d -> d = '*' OR c_domain = d OR endsWith(c_domain, concat('.', d)), ${textArray(parameters, domains)})) AS domain
    FROM (SELECT DISTINCT toString(domain) AS c_domain FROM ad_stats
      WHERE toDate(at) BETWEEN ${parameters.value('Date', range.firstDay)} AND ${parameters.value('Date', range.lastDay)}
        AND source = ${parameters.value('String', source)} AND ${visible.text})`;
  const answer = await client.query({ query, query_params: parameters.params, format: 'JSONEachRow' });
  return new Set((await answer.json<{ domain: string }>()).map(({ domain }) => domain));
}
