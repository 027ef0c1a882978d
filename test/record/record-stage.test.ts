// tier: unit
import { describe, expect, it } from 'vitest';
import type { InsertEnding } from '../../engine/contract/insert-ending.ts';
import { type BlockOutcomes, packBlockOutcomes } from '../../engine/contract/packed-outcomes.ts';
import type { RecordOptions } from '../../engine/intake/consume-batches.ts';
import { createRecordStage } from '../../engine/record/stage.ts';
import { buildBlockOutcomes } from '../support/block-outcomes.ts';
import { createManualClock } from '../support/manual-clock.ts';
import { createMemoryLog } from '../support/memory-log/log.ts';
import { createMemoryStore } from '../support/memory-log/store.ts';

const away: InsertEnding = { kind: 'away', store: 'ClickHouse', reason: 'connection refused' };

/** Record on a log in memory, before a store that answers as the test says. */
async function setUp(options: Partial<RecordOptions> = {}) {
  const clock = createManualClock();
  const log = createMemoryLog({ store: createMemoryStore(), clock });
  const inserts: { readonly token: string; readonly blocks: readonly BlockOutcomes[] }[] = [];
  const counted = { batches: 0, rows: 0, pauses: 0 };
  const lines: { level: string; message: string; fields: object }[] = [];
  let answer: (token: string) => Promise<InsertEnding> | null = () => null;
  const line = (level: string) => (fields: object, message: string) =>
    void lines.push({ level, message, fields });

  const stage = createRecordStage({
    log,
    store: {
      insertOutcomes: async (blocks, token) => {
        inserts.push({ token, blocks });
        const rows = blocks.reduce((sum, block) => sum + block.seqs.length, 0);
        return (await answer(token)) ?? { kind: 'inserted', rows };
      },
    },
    logger: { info: line('info'), warn: line('warn'), error: line('error') },
    metrics: {
      recordBatch: (rows) => {
        counted.batches++;
        counted.rows += rows;
      },
      backPressurePause: () => void counted.pauses++,
    },
    options,
  });
  await stage.start();

  return {
    clock,
    log,
    stage,
    inserts,
    counted,
    lines,
    answerWith: (given: typeof answer) => {
      answer = given;
    },
    publish: (batch_id: string, blocks: readonly BlockOutcomes[]) =>
      log.publish('outcomes', [
        {
          key: batch_id,
          value: {
            batch_id,
            blocks: blocks.map((block) => Buffer.from(packBlockOutcomes(block)).toString('base64')),
          },
        },
      ]),
  };
}

/** Lets everything that is due now run. */
const settle = async (): Promise<void> => {
  for (let turn = 0; turn < 20; turn++) await new Promise((resolve) => setImmediate(resolve));
};

const two = [buildBlockOutcomes({ block: 0, targets: 3 }), buildBlockOutcomes({ block: 1, targets: 2 })];

describe('the record stage', () => {
  it('makes one insert of one message, under the name of its batch', async () => {
    const { publish, inserts, log, counted, stage } = await setUp();
    await publish('batch-1', two);
    await publish('batch-2', two.slice(0, 1));
    await settle();
    expect(inserts.map(({ token, blocks }) => [token, blocks.length])).toEqual([
      ['batch-1', 2],
      ['batch-2', 1],
    ]);
    expect(inserts[0]?.blocks).toEqual(two);
    expect(counted).toEqual({ batches: 2, rows: 8, pauses: 0 });
    expect(await log.lag('outcomes')).toBe(0);
    await stage.close(1_000);
  });

  it('records the blocks that the batch names as those of welcomes', async () => {
    const { log, inserts, stage } = await setUp();
    const blocks = two.map((block) => Buffer.from(packBlockOutcomes(block)).toString('base64'));
    await log.publish('outcomes', [{ key: 'b', value: { batch_id: 'b', blocks, welcomes: [1] } }]);
    await settle();
    expect(inserts[0]?.blocks).toEqual([two[0], { ...two[1], welcome: true }]);
    await stage.close(1_000);
  });

  it('waits longer and longer while ClickHouse is away, up to the bound, and then records everything', async () => {
    const { publish, inserts, clock, log, answerWith, lines, counted, stage } = await setUp({
      firstPauseMs: 100,
      maxPauseMs: 300,
      maxAttempts: 1,
    });
    answerWith(async () => away);
    await publish('batch-1', two);
    await publish('batch-2', two);
    await settle();
    for (const pauseMs of [100, 200, 300, 300]) {
      const before = inserts.length;
      clock.advance(pauseMs - 1);
      await settle();
      expect(inserts.length).toBe(before);
      clock.advance(1);
      await settle();
      expect(inserts.length).toBe(before + 1);
    }
    expect(counted).toEqual({ batches: 0, rows: 0, pauses: 5 });
    expect(await log.lag('outcomes')).toBe(2);

    answerWith(() => null);
    clock.advance(300);
    await settle();
    expect(counted).toEqual({ batches: 2, rows: 10, pauses: 5 });
    expect(await log.lag('outcomes')).toBe(0);
    expect(await log.deadLetters('outcomes', 10)).toEqual([]);
    expect(lines.at(-1)).toMatchObject({ level: 'info', message: 'ClickHouse takes outcomes again' });
    // Nothing was joined or split on the way.
    expect(new Set(inserts.map(({ token, blocks }) => `${token}:${blocks.length}`))).toEqual(
      new Set(['batch-1:2', 'batch-2:2']),
    );
    await stage.close(1_000);
  });

  it('starts over with the shortest pause after ClickHouse was back', async () => {
    const { publish, clock, answerWith, lines, stage } = await setUp({ firstPauseMs: 100, maxPauseMs: 800 });
    const pauses = () =>
      lines.flatMap(({ fields }) => ('resumeAfterMs' in fields ? [fields.resumeAfterMs] : []));
    answerWith(async () => away);
    await publish('batch-1', two);
    await settle();
    clock.advance(100);
    await settle();
    answerWith(() => null);
    clock.advance(200);
    await settle();
    answerWith(async () => away);
    await publish('batch-2', two);
    await settle();
    expect(pauses()).toEqual([100, 200, 100]);
    await stage.close(1_000);
  });

  it('puts a batch with one unreadable block into the dead letters whole, and goes on with the next', async () => {
    const { publish, inserts, log, stage, clock } = await setUp({ maxAttempts: 2 });
    const good = Buffer.from(packBlockOutcomes(two[0] as BlockOutcomes)).toString('base64');
    await log.publish('outcomes', [
      { key: 'bad', value: { batch_id: 'bad', blocks: [good, Buffer.from('nonsense').toString('base64')] } },
    ]);
    await publish('good', two);
    for (let turn = 0; turn < 10; turn++) {
      await settle();
      clock.advance(60_000);
    }
    expect(inserts.map(({ token }) => token)).toEqual(['good']);
    expect(await log.deadLetters('outcomes', 10)).toMatchObject([
      { key: 'bad', reason: expect.stringContaining('block 1 of batch bad cannot be read') },
    ]);
    expect(await log.lag('outcomes')).toBe(0);
    await stage.close(1_000);
  });

  it('puts a batch whose rows ClickHouse refuses into the dead letters, not into an endless wait', async () => {
    const { publish, answerWith, log, counted, stage, clock } = await setUp({ maxAttempts: 2 });
    answerWith((token) =>
      token === 'refused' ? Promise.reject(new Error('unknown element 99 for enum')) : null,
    );
    await publish('refused', two);
    await publish('fine', two);
    for (let turn = 0; turn < 10; turn++) {
      await settle();
      clock.advance(60_000);
    }
    expect(await log.deadLetters('outcomes', 10)).toMatchObject([{ key: 'refused' }]);
    expect(counted).toEqual({ batches: 1, rows: 5, pauses: 0 });
    await stage.close(1_000);
  });

  it('starts no further insert once it closes, and leaves the rest on the log', async () => {
    const { publish, answerWith, inserts, log, stage } = await setUp({ maxRecords: 4 });
    const first = Promise.withResolvers<InsertEnding>();
    for (const name of ['batch-1', 'batch-2', 'batch-3']) await publish(name, two);
    answerWith(() => first.promise);
    await settle();
    const closing = stage.close(60_000);
    first.resolve({ kind: 'inserted', rows: 5 });
    await closing;
    expect(inserts.length).toBeLessThanOrEqual(2);
    expect(await log.lag('outcomes')).toBe(3 - inserts.length);
  });

  it('can be started once, and closed without having been started', async () => {
    const { stage, log } = await setUp();
    await expect(stage.start()).rejects.toThrow('started before');
    await stage.close(1_000);
    const unstarted = createRecordStage({
      log,
      store: { insertOutcomes: async () => away },
      logger: { info: () => {}, warn: () => {}, error: () => {} },
      metrics: { recordBatch: () => {}, backPressurePause: () => {} },
    });
    await unstarted.close(1_000);
  });
});
