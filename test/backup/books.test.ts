// tier: system, clickhouse
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { compareBooks } from '../../api/cli/backup/books.ts';
import type { ClickHouse } from '../../engine/adapters/clickhouse/clickhouse.ts';
import { createOutcomeStore } from '../../engine/adapters/clickhouse/outcome-store.ts';
import { packBlockOutcomes } from '../../engine/contract/packed-outcomes.ts';
import { buildBlockOutcomes } from '../support/block-outcomes.ts';
import { buildApp, buildDelivery } from '../support/builders.ts';
import { createTestDatabase, type TestDatabase } from '../support/postgres.ts';
import { openTestClickHouse } from '../support/test-clickhouse.ts';

describe('the books after a restore', () => {
  let test: TestDatabase;
  let clickhouse: ClickHouse;
  beforeAll(async () => {
    [test, clickhouse] = await Promise.all([createTestDatabase(), openTestClickHouse()]);
  });
  afterAll(async () => {
    await clickhouse.close();
    await test.drop();
  });

  it('name each delivery that differs, and each that goes on', async () => {
    const { database } = test;
    const app = await buildApp(database);
    const [agrees, differs, waits] = [
      await buildDelivery(database, app.id, { status: 'success' }),
      await buildDelivery(database, app.id, { status: 'success' }),
      await buildDelivery(database, app.id, { status: 'scheduled' }),
    ];
    await database.query('UPDATE deliveries SET success_count = 4 WHERE id = ANY($1)', [[agrees, differs]]);
    const blockOf = (deliveryId: number, targets: number) =>
      buildBlockOutcomes({ appId: app.id, deliveryId, targets });
    await createOutcomeStore(clickhouse).insertOutcomes([blockOf(agrees, 3), blockOf(differs, 3)], 'once');
    await database.query(`INSERT INTO outbox (topic, key, packed) VALUES ('outcomes', '1', $1)`, [
      packBlockOutcomes(blockOf(agrees, 1)),
    ]);
    expect(await compareBooks(database, clickhouse)).toEqual({
      compared: 3,
      differences: [
        {
          ...{ delivery: differs, app: app.identifier, status: 'success' },
          ...{ in_postgres: 4, in_clickhouse: 3, in_outbox: 0 },
        },
      ],
      unfinished: [
        { delivery: waits, app: app.identifier, status: 'scheduled', total: 0, accepted: 0, failed: 0 },
      ],
    });
  });
});
