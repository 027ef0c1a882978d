import type { ClickHouse } from '../../../engine/adapters/clickhouse/clickhouse.ts';
import type { Database } from '../../../engine/adapters/postgres/database.ts';
import { claimFinalDays, type FinalDays } from '../../../engine/adapters/postgres/final-days.ts';
import { domainsOfSource } from '../../report/source-domains.ts';
import { lockLedger } from '../lock-ledger.ts';

interface Wanting {
  readonly id: number;
  readonly domains: readonly string[];
}

/**
 * Queues `reports.final` for the next days that became final: for webhooks of organizations of whose domains the source has
 * rows. One transaction: each once and in order, and none if it is killed.
 * @param aside sources whose events wait: where such a one is the next, there is none.
 * @param takes is called before anything of the event can fail.
 * @returns how many events were claimed, 0 or 1.
 */
export const queueFinalWebhooks = (
  database: Database,
  clickhouse: Pick<ClickHouse, 'client'>,
  aside: readonly string[],
  takes: (days: FinalDays) => void,
): Promise<number> =>
  database.transaction(async (sql) => {
    const [days] = await claimFinalDays(sql, 'webhooks', 1, aside);
    if (days === undefined) return 0;
    takes(days);
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

const waitsBefore = `id > (SELECT after_id FROM ad_final_readers WHERE reader = 'webhooks') AND source = ANY($1)
  AND EXISTS (SELECT FROM ad_final_days AS others WHERE others.id > ad_final_days.id AND others.source <> ALL($1))`;

/**
 * Gives events of these sources numbers behind those of all others that wait. Under the lock of the ledger, as every number: a reader
 * that has seen a later one would never see it. Schedules that wait for them check their days once more, and find nothing new.
 */
export async function moveSourcesBehind(database: Database, sources: readonly string[]): Promise<void> {
  const found = await database.query(`SELECT FROM ad_final_days WHERE ${waitsBefore} LIMIT 1`, [sources]);
  if (found.length === 0) return;
  await database.transaction(async (sql) => {
    await lockLedger(sql);
    await sql.query(`UPDATE ad_final_days SET id = DEFAULT WHERE ${waitsBefore}`, [sources]);
  });
}
