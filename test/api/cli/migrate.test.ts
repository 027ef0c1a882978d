// tier: core
import { afterAll, describe, expect, it } from 'vitest';
import { startClickHouseBridge } from '../../support/clickhouse-bridge/bridge.ts';
import { createEmptyDatabase } from '../../support/postgres.ts';
import { runCliHere } from '../../support/run-cli-here.ts';

describe('broadside migrate', async () => {
  const empty = await createEmptyDatabase("LOCALE 'C'");
  afterAll(() => empty.drop());
  const run = (env: Readonly<Record<string, string>>) =>
    runCliHere(['migrate'], { cwd: process.cwd(), env: { DATABASE_URL: empty.url, ...env } });

  it('refuses to run without a ClickHouse server, before it changes Postgres', async () => {
    const { code, err } = await run({});
    expect([code, err]).toEqual([1, expect.stringContaining('set CLICKHOUSE_URL to the server')]);
    expect(await empty.database.query(`SELECT 1 FROM pg_tables WHERE tablename = 'deliveries'`)).toEqual([]);
  });

  it('makes the tables of both, twice without harm', async () => {
    const clickhouse = await startClickHouseBridge();
    try {
      for (const _ of ['first', 'again']) {
        const { code, out } = await run({ CLICKHOUSE_URL: clickhouse.url });
        expect([code, out]).toEqual([0, 'Postgres and ClickHouse have the tables of this version.\n']);
      }
      expect(await empty.database.query('SELECT 1 FROM deliveries')).toEqual([]);
      const answer = await fetch(
        `${clickhouse.url}/?query=${encodeURIComponent('SELECT count() FROM broadside.outcomes')}`,
      );
      expect(await answer.text()).toMatch(/^0\s*$/);
    } finally {
      await clickhouse.stop();
    }
  });
});
