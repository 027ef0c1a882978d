// tier: system
import { expect, it, onTestFinished } from 'vitest';
import { createStatisticsCopy } from '../../engine/adapters/clickhouse/backup/copy.ts';
import { loadStatistics, type RowsOfTable } from '../../engine/adapters/clickhouse/backup/load.ts';
import { openClickHouse } from '../../engine/adapters/clickhouse/client.ts';
import { migrateClickHouse } from '../../engine/adapters/clickhouse/migrate.ts';
import { startClickHouseBridge } from '../support/clickhouse-bridge/bridge.ts';

const server = { username: 'default', password: '', requestTimeoutMs: 30_000, maxConnections: 2 };

it('equal parts that have not merged come back from a backup, each of them', async () => {
  const bridge = await startClickHouseBridge();
  onTestFinished(() => bridge.stop());
  const open = async (database: string) => {
    const opened = await openClickHouse({ kind: 'http', url: bridge.url, ...server, database });
    onTestFinished(() => opened.close());
    return opened;
  };
  const from = await open('copied');
  await migrateClickHouse(from);
  await from.client.command({ query: 'SYSTEM STOP MERGES ad_currencies' });
  for (const token of ['one', 'two'])
    await from.client.command({
      query: `INSERT INTO ad_currencies SETTINGS async_insert = 0, insert_deduplication_token = '${token}' VALUES (202601, 'EUR')`,
    });
  const copy = createStatisticsCopy(from);
  const { migrations, tables } = await copy.freeze();
  onTestFinished(() => copy.thaw());
  const rowsOf = tables.map(
    ({ name, columns, pieces }): RowsOfTable => ({
      ...{ name, columns },
      rows: pieces.reduce((sum, piece) => sum + piece.rows, 0),
      pieces: (async function* () {
        for (const piece of pieces) yield copy.readPiece(piece);
      })(),
    }),
  );
  expect(rowsOf.find(({ name }) => name === 'ad_currencies')?.rows).toBe(2);
  const to = await open('filled');
  await loadStatistics(to, migrations, rowsOf);
  const answer = await to.client.query({
    query: 'SELECT DISTINCT * FROM ad_currencies',
    format: 'JSONEachRow',
  });
  expect(await answer.json()).toEqual([{ month: 202601, currency: 'EUR' }]);
});
