// tier: postgres
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Database } from '../../engine/adapters/postgres/database.ts';
import { createReleaseStore } from '../../engine/adapters/postgres/plan/release-store.ts';
import { acceptFor, buildApp, buildDelivery } from '../support/builders.ts';
import { createTestDatabase, type TestDatabase } from '../support/postgres.ts';
import { watchedDatabase } from '../support/watched-database.ts';

describe('an engine that looks for shards to release', () => {
  let test: TestDatabase;
  const calls: string[] = [];
  let watched: Database;

  beforeAll(async () => {
    test = await createTestDatabase();
    watched = watchedDatabase(test.database, calls);
  });
  afterAll(() => test.drop());

  const releaseDue = (): Promise<number> => {
    calls.length = 0;
    return createReleaseStore(watched).releaseDue(10);
  };

  it('asks once where no delivery runs, however many have ended', async () => {
    const { id } = await buildApp(test.database);
    const ended = await buildDelivery(test.database, id, { status: 'success' });
    await acceptFor(test.database, ended, [1]);
    expect(await releaseDue()).toBe(0);
    expect(calls).toEqual(['query']);
  });

  it('releases again what a dead engine held of a cancelled delivery', async () => {
    const { id } = await buildApp(test.database);
    const cancelled = await buildDelivery(test.database, id, { status: 'cancelled' });
    await acceptFor(test.database, cancelled, [1], { state: 'running' });
    await test.database.query(`UPDATE shards SET due_at = now() WHERE delivery_id = $1`, [cancelled]);
    expect(await releaseDue()).toBe(1);
  });

  it('looks for shards of a delivery that runs', async () => {
    const { id } = await buildApp(test.database);
    const running = await buildDelivery(test.database, id, { status: 'processing' });
    await acceptFor(test.database, running, [1]);
    await releaseDue();
    expect(calls).toEqual(['query', 'transaction']);
  });
});
