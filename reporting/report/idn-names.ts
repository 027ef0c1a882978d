import type { ClickHouse } from '../../engine/adapters/clickhouse/clickhouse.ts';

/** More are shown as they are stored: they travel with the statement. */
const MAX_NAMES = 5_000;

/** Domains and subdomains of ad statistics that hold a name of another script, in their stored form (`xn--…`). */
export async function readIdnNames({ client }: ClickHouse): Promise<readonly string[]> {
  const answer = await client.query({
    query: `SELECT DISTINCT name FROM ad_idn_names ORDER BY name LIMIT ${MAX_NAMES}`,
    format: 'JSONEachRow',
  });
  return (await answer.json<{ name: string }>()).map(({ name }) => name);
}
