// tier: postgres
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { withOutcomesHeld } from '../../api/cli/backup/hold.ts';
import { createRelayStep } from '../../engine/adapters/postgres/relay.ts';
import { CliError } from '../../engine/kit/command-line/endings.ts';
import { until } from '../support/engine-harness.ts';
import { createTestDatabase } from '../support/postgres.ts';

describe('outcomes that a backup holds back', async () => {
  /** The rows that were published, by what is in them. */
  let published: string[];
  const test = await createTestDatabase();
  afterAll(() => test.drop());
  beforeEach(async () => {
    published = [];
    await test.database.query('DELETE FROM outbox');
    await test.database.query(
      `INSERT INTO outbox (topic, key, packed, batch_id) VALUES ('outcomes', '1', '1', NULL),
         ('outcomes', '2', '2', '00000000-0000-4000-8000-000000000001')`,
    );
  });

  const relayStep = () =>
    createRelayStep(
      test.database,
      {
        publish: async (_topic, records) => {
          const blocks = records.flatMap(({ value }) => (value as { blocks: string[] }).blocks);
          published.push(...blocks.map((block) => Buffer.from(block, 'base64').toString()));
        },
      },
      { topics: ['outcomes'], outcomesPerBatch: 1, outcomesDelayMs: 0 },
    )();
  const signal = new AbortController().signal;

  it('get no name, while those that have one leave, and the moment is when none is under way', async () => {
    let lag = 1;
    const held = withOutcomesHeld(
      test.database,
      { isServed: true, signal, readLag: async () => ({ outcomes: lag-- }) },
      async () => {
        await relayStep();
        return test.database.query('SELECT batch_id FROM outbox');
      },
    );
    const holds = `SELECT FROM pg_locks WHERE locktype = 'advisory' AND mode = 'ExclusiveLock' AND granted
      AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`;
    await until('the hold', async () => (await test.database.query(holds)).length > 0);
    await relayStep();
    // Nothing had a name any more, and the log had nothing left when it was asked for the second time.
    expect(await held).toEqual([{ batch_id: null }]);
    expect([published, lag]).toEqual([['2'], -1]);
    await relayStep();
    expect(published).toEqual(['2', '1']);
  });

  it('are not waited for where nobody takes them from the log, which is said', async () => {
    const options = { isServed: false, signal, readLag: async () => ({ outcomes: 3 }) };
    const held = withOutcomesHeld(test.database, options, async () => 'moment');
    await expect(held).rejects.toThrow(CliError);
    await expect(held).rejects.toThrow('no Broadside runs to take them');
  });
});
