// tier: core
import { afterAll, describe, expect, it } from 'vitest';
import type { ClickHouse } from '../../engine/adapters/clickhouse/clickhouse.ts';
import { openClickHouse } from '../../engine/adapters/clickhouse/client.ts';
import { createEventStore } from '../../engine/adapters/clickhouse/event-store.ts';
import { migrateClickHouse } from '../../engine/adapters/clickhouse/migrate.ts';
import { createOutcomeStore } from '../../engine/adapters/clickhouse/outcome-store.ts';
import type { InsertEnding } from '../../engine/contract/insert-ending.ts';
import { buildBlockOutcomes } from '../support/block-outcomes.ts';
import { startClickHouseBridge } from '../support/clickhouse-bridge/bridge.ts';
import { buildEvent } from '../support/reported-events.ts';
import { startTcpProxy } from '../support/tcp-proxy.ts';

const bridge = await startClickHouseBridge();
const proxy = await startTcpProxy('127.0.0.1', Number(new URL(bridge.url).port));
afterAll(async () => {
  await proxy.close();
  await bridge.stop();
});

/** Through the proxy. Nothing is merged: a row that was written twice stays there twice. */
async function open(database: string): Promise<ClickHouse> {
  const clickhouse = await openClickHouse({
    ...{ kind: 'http', url: `http://127.0.0.1:${proxy.port}`, database },
    ...{ username: 'default', password: '', requestTimeoutMs: 30_000, maxConnections: 2 },
  });
  await migrateClickHouse(clickhouse);
  await clickhouse.client.command({ query: 'SYSTEM STOP MERGES' });
  return clickhouse;
}

async function rows<Row>({ client }: ClickHouse, query: string): Promise<Row[]> {
  return (await client.query({ query, format: 'JSONEachRow' })).json<Row>();
}

interface View {
  readonly view: string;
  readonly target: string;
  readonly window: number;
}

/** Every materialized view that keeps rows, and for how many inserts its target remembers their names. */
const readViews = (clickhouse: ClickHouse): Promise<View[]> =>
  rows<View>(
    clickhouse,
    `SELECT views.name AS view, extract(views.create_table_query, ' TO [a-z_]+\\.([a-z_]+)') AS target,
       toUInt32OrZero(extract(targets.create_table_query, 'non_replicated_deduplication_window = (\\d+)')) AS window
     FROM system.tables AS views LEFT JOIN system.tables AS targets
       ON targets.database = views.database AND targets.name = target
     WHERE views.database = currentDatabase() AND views.engine = 'MaterializedView' AND targets.engine <> 'Null'
     ORDER BY view`,
  );

/** The rows as they are stored, and their sums. */
async function countAll(clickhouse: ClickHouse): Promise<Record<string, unknown>> {
  const targets = (await readViews(clickhouse)).map(({ target }) => target);
  const tables = ['outcomes', 'events', ...new Set(targets)];
  const counted = tables.map((table) => `toUInt32((SELECT count() FROM ${table})) AS ${table}`);
  const [row] = await rows<Record<string, unknown>>(
    clickhouse,
    `SELECT ${counted.join(', ')}, toUInt32((SELECT sum(attempts) FROM outcomes_by_day)) AS attempts,
       toUInt32((SELECT sum(latency_ms_sum) FROM outcomes_by_day)) AS latency`,
  );
  return row ?? {};
}

/** Over the end of a month, so that each becomes several parts of every table. */
const days = [Date.UTC(2026, 2, 31, 23, 59, 59, 999), Date.UTC(2026, 3, 1)];
const blocks = days.map((atMs, block) => ({ ...buildBlockOutcomes({ block, targets: 1_000 }), atMs }));
const events = days.flatMap((at, day) =>
  Array.from({ length: 500 }, (_, seq) =>
    buildEvent({ seq, at, delivery_id: 1 + day, id: `event-${day}-${seq}` }),
  ),
);

const inserts: Record<string, (clickhouse: ClickHouse) => Promise<InsertEnding>> = {
  outcomes: (clickhouse) => createOutcomeStore(clickhouse).insertOutcomes(blocks, 'lost'),
  events: (clickhouse) => createEventStore(clickhouse).insertEvents(events, 'lost'),
};

describe('an insert whose answer was lost after it was committed', () => {
  it.each(Object.keys(inserts))(
    'of %s changes nothing when it is repeated: neither table nor roll-up',
    async (table) => {
      const [clean, troubled] = await Promise.all([open(`clean_${table}`), open(`troubled_${table}`)]);
      const insert = inserts[table];
      if (insert === undefined) throw new Error('no such insert');
      expect(await insert(clean)).toMatchObject({ kind: 'inserted' });
      const once = await countAll(clean);
      for (let time = 1; time <= 3; time++) {
        const before = proxy.dropped();
        proxy.dropAnswers(1, (request) => request.includes('INSERT'));
        expect(await insert(troubled)).toMatchObject({ kind: 'away' });
        proxy.restore();
        expect(proxy.dropped()).toBe(before + 1);
        expect(await countAll(troubled)).toEqual(once);
      }
      expect(await insert(troubled)).toMatchObject({ kind: 'inserted' });
      expect(await countAll(troubled)).toEqual(once);
      await Promise.all([clean.close(), troubled.close()]);
    },
  );

  it('is remembered by the target of every materialized view there is', async () => {
    const clickhouse = await open('views');
    const views = await readViews(clickhouse);
    expect(views.map(({ view }) => view)).toEqual(
      expect.arrayContaining(['clicks_to_subscriber', 'events_to_day', 'outcomes_to_day']),
    );
    // A view whose target forgets counts a batch that comes again twice: give its table the window.
    for (const { view, window } of views) expect([view, window]).toEqual([view, 50_000]);
    await clickhouse.close();
  });
});
