// tier: system
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createPgBossLog } from '../../engine/adapters/pgboss/log.ts';
import type { Database } from '../../engine/adapters/postgres/database.ts';
import type { Log } from '../../engine/contract/log.ts';
import { startEngineOver } from '../support/engine-crew.ts';
import { createTestDatabase, type TestDatabase } from '../support/postgres.ts';

/** The outbox is looked at five times a second, and what is due every second. */
const A_LOOK_OF_EVERY_LOOP_MS = 1_500;

describe('an engine whose start fails', () => {
  let test: TestDatabase;
  let log: Log;
  beforeEach(async () => {
    test = await createTestDatabase();
    log = await createPgBossLog({ url: test.url });
  });
  afterEach(async () => {
    await log.close(0);
    await test.drop();
  });

  it('asks its database nothing more', async () => {
    let asked = 0;
    const database: Database = {
      ...test.database,
      query: (...args) => {
        asked++;
        return test.database.query(...args);
      },
      transaction: (work) => {
        asked++;
        return test.database.transaction(work);
      },
    };
    const refused: Log['consume'] = () => Promise.reject(new Error('not authorized'));
    const refusing: Log = {
      ...log,
      consume: (topic, ...rest) =>
        topic === 'events' ? refused(topic, ...rest) : log.consume(topic, ...rest),
    };
    const starting = startEngineOver({ databaseUrl: test.url }, { database, log: refusing });
    await expect(starting).rejects.toThrow('not authorized');
    expect(asked).toBeGreaterThan(0);
    asked = 0;
    await new Promise((resolve) => setTimeout(resolve, A_LOOK_OF_EVERY_LOOP_MS));
    expect(asked).toBe(0);
  });
});
