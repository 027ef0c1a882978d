// tier: unit
import { describe, expect, it } from 'vitest';
import type { InsertEnding } from '../../engine/contract/insert-ending.ts';
import type { ReportedEvent } from '../../engine/contract/topics.ts';
import { createEventsStage } from '../../engine/record/events-stage.ts';
import type { Click } from '../../engine/record/ports.ts';
import { createManualClock } from '../support/manual-clock.ts';
import { createMemoryLog } from '../support/memory-log/log.ts';
import { createMemoryStore } from '../support/memory-log/store.ts';
import { buildEvent } from '../support/reported-events.ts';

/** The stage on a log in memory; a test sets the stores' answers, and sees the order of the calls. */
async function setUp() {
  const clock = createManualClock();
  const log = createMemoryLog({ store: createMemoryStore(), clock });
  const asked: string[] = [];
  const clicks: Click[] = [];
  const lines: string[] = [];
  const line = (fields: object, message: string) =>
    void lines.push('reason' in fields ? `${message}: ${fields.reason}` : message);
  const answers = { clickhouse: true, postgres: true, refusal: null as string | null };
  const stage = createEventsStage({
    log,
    store: {
      insertEvents: async (events, token): Promise<InsertEnding> => {
        asked.push(`insert ${token}`);
        if (!answers.clickhouse) return { kind: 'away', store: 'ClickHouse', reason: 'connection refused' };
        return { kind: 'inserted', rows: events.length };
      },
    },
    engagement: {
      noteClicks: async (given) => {
        asked.push('note clicks');
        if (!answers.postgres || answers.refusal !== null) throw new Error(answers.refusal ?? 'terminated');
        clicks.push(...given);
      },
    },
    engagementAnswers: async () => answers.postgres,
    logger: { info: line, warn: line, error: line },
    metrics: { recordBatch: () => {}, backPressurePause: () => {} },
    options: { firstPauseMs: 100, maxPauseMs: 100, maxAttempts: 2 },
  });
  await stage.start();
  const publish = (batch_id: string, events: readonly ReportedEvent[]) =>
    log.publish('events', [{ key: batch_id, value: { batch_id, events: [...events] } }]);
  return { clock, log, stage, asked, clicks, lines, answers, publish };
}

/** Lets everything that is due now run. */
const settle = async (): Promise<void> => {
  for (let turn = 0; turn < 20; turn++) await new Promise((resolve) => setImmediate(resolve));
};

describe('the record stage of events', () => {
  it('inserts a message under its name, then notes the latest click of each subscription', async () => {
    const { publish, asked, clicks, log, stage } = await setUp();
    await publish('batch-1', [
      buildEvent({ seq: 7, at: 2_000 }),
      buildEvent({ seq: 7, at: 3_000 }),
      buildEvent({ seq: 7, at: 1_000 }),
      buildEvent({ app_id: 2, seq: 7, at: 500 }),
      buildEvent({ seq: null }),
      buildEvent({ seq: 8, type: 'displayed' }),
    ]);
    await settle();
    expect(asked).toEqual(['insert batch-1', 'note clicks']);
    expect(clicks).toEqual([
      { appId: 1, seq: 7, atMs: 3_000 },
      { appId: 2, seq: 7, atMs: 500 },
    ]);
    expect(await log.lag('events')).toBe(0);
    await stage.close(1_000);
  });

  it('leaves Postgres alone where no known subscriber clicked', async () => {
    const { publish, asked, stage } = await setUp();
    await publish('batch-1', [buildEvent({ seq: null }), buildEvent({ type: 'closed' })]);
    await settle();
    expect(asked).toEqual(['insert batch-1']);
    await stage.close(1_000);
  });

  it('keeps events that come while ClickHouse is away on the log, in one piece, and records them afterwards', async () => {
    const { publish, asked, clicks, answers, clock, log, stage } = await setUp();
    answers.clickhouse = false;
    await publish('batch-1', [buildEvent()]);
    await settle();
    for (let pause = 0; pause < 5; pause++) {
      clock.advance(100);
      await settle();
    }
    expect(new Set(asked)).toEqual(new Set(['insert batch-1']));
    expect([await log.lag('events'), clicks.length]).toEqual([1, 0]);
    answers.clickhouse = true;
    clock.advance(100);
    await settle();
    expect([await log.lag('events'), clicks.length]).toEqual([0, 1]);
    expect(await log.deadLetters('events', 1)).toEqual([]);
    await stage.close(1_000);
  });

  it('does a message again from its insert on where Postgres was away in between', async () => {
    const { publish, asked, clicks, answers, clock, log, stage } = await setUp();
    answers.postgres = false;
    await publish('batch-1', [buildEvent()]);
    await settle();
    expect(await log.lag('events')).toBe(1);
    answers.postgres = true;
    clock.advance(100);
    await settle();
    expect(asked).toEqual(['insert batch-1', 'note clicks', 'insert batch-1', 'note clicks']);
    expect([await log.lag('events'), clicks.length]).toEqual([0, 1]);
    await stage.close(1_000);
  });

  it('names the store that is away, and the one that is back', async () => {
    const { publish, answers, clock, lines, stage } = await setUp();
    answers.clickhouse = false;
    answers.postgres = false;
    await publish('batch-1', [buildEvent()]);
    await settle();
    answers.clickhouse = true;
    clock.advance(100);
    await settle();
    answers.postgres = true;
    clock.advance(100);
    await settle();
    expect(lines).toEqual([
      'events wait on the log: ClickHouse does not take them: connection refused',
      'events wait on the log: Postgres does not take them: terminated',
      'Postgres takes events again',
    ]);
    await stage.close(1_000);
  });

  it('makes a dead letter of a message that Postgres refuses while it answers, and goes on', async () => {
    const { publish, answers, clock, log, clicks, stage } = await setUp();
    answers.refusal = 'integer out of range';
    await publish('batch-1', [buildEvent()]);
    for (let turn = 0; turn < 5; turn++) {
      await settle();
      clock.advance(60_000);
    }
    expect(await log.deadLetters('events', 10)).toMatchObject([{ key: 'batch-1' }]);
    answers.refusal = null;
    await publish('batch-2', [buildEvent()]);
    await settle();
    expect([await log.lag('events'), clicks.length]).toEqual([0, 1]);
    await stage.close(1_000);
  });
});
