// tier: system
import { describe, expect, it, type TestContext } from 'vitest';
import { isThorough } from '../support/cases.ts';
import { itThorough } from '../support/it-thorough.ts';
import { describeKafka } from '../support/kafka/describe-kafka.ts';
import { brokenBuilds } from './runner/preloads.ts';
import { type RunResult, runOnce } from './runner/run-once.ts';
import { drawSchedule, type Schedule } from './runner/schedule.ts';

/** Chosen for what they hold: kills, a vanished machine, restarts of Postgres, a lost answer; a cap, and strangers. */
const PGBOSS_SEED = 1745;
const KAFKA_SEED = 466;
const RUN_TIMEOUT_MS = 480_000;
/** A lost message never comes back: this long is enough to be sure that the books stay apart. */
const BROKEN_PATIENCE_MS = 12_000;

const kindsOf = ({ faults }: Schedule): string[] => faults.map(({ kind }) => kind);

async function runSchedule(
  schedule: Schedule,
  { onTestFailed }: TestContext,
  preload: string | null = null,
): Promise<RunResult> {
  const steps: string[] = [];
  const patience = preload === null ? {} : { patienceMs: BROKEN_PATIENCE_MS };
  onTestFailed(() => console.error(`${steps.join('\n')}\nseed ${schedule.seed}, ${schedule.log}`));
  const result = await runOnce(schedule, { preload, ...patience, onStep: (text) => steps.push(text) });
  steps.push(result.output);
  return result;
}

describe('chaos over real parts', () => {
  it('draws the same schedule from the same seed, and another from another', () => {
    expect(drawSchedule(7, 'kafka')).toEqual(drawSchedule(7, 'kafka'));
    expect(drawSchedule(7, 'kafka')).not.toEqual(drawSchedule(8, 'kafka'));
  });

  it('keeps every promise over pg-boss: engines killed and vanished, Postgres crashed, an answer lost after a commit', {
    timeout: RUN_TIMEOUT_MS,
  }, async (context) => {
    const schedule = drawSchedule(PGBOSS_SEED, 'pgboss');
    expect(kindsOf(schedule)).toEqual(
      expect.arrayContaining([
        'engine killed',
        'engine vanished',
        'postgres crashed',
        'postgres answer dropped',
      ]),
    );
    expect(schedule.cap).not.toBeNull();
    expect((await runSchedule(schedule, context)).broken).toEqual([]);
  });

  itThorough(
    'notices a build that marks a batch done before ClickHouse has it',
    {
      timeout: RUN_TIMEOUT_MS,
    },
    async (context) => {
      const schedule: Schedule = {
        seed: 0,
        log: 'pgboss',
        subscribers: 1_500,
        campaigns: [],
        correction: null,
        cap: null,
        deliveries: [{ atMs: 500, lane: 'bulk' }],
        // Until outcomes have come and were marked done, on a busy machine too.
        faults: [{ kind: 'clickhouse killed', atMs: 0, forMs: 15_000, engine: 0 }],
      };
      const preload = brokenBuilds['marks outcomes done before ClickHouse has them'];
      const { broken } = await runSchedule(schedule, context, preload);
      expect(broken.join('\n')).toMatch(/ClickHouse knows \d+ subscribers served, Postgres 1500/);
    },
  );
});

/** Without tests of its own a suite would fail. */
const describeThorough = isThorough ? describeKafka : (): void => {};

describeThorough('chaos over real parts with Kafka', () => {
  // The run over pg-boss beside it is the same stages, and `multi-process.test.ts` kills an engine over Kafka.
  it('keeps every promise: all processes killed, Kafka and Postgres away, an answer lost after a commit, strangers', {
    timeout: RUN_TIMEOUT_MS,
  }, async (context) => {
    const schedule = drawSchedule(KAFKA_SEED, 'kafka');
    expect(kindsOf(schedule)).toEqual(
      expect.arrayContaining([
        'everything killed',
        'kafka killed',
        'postgres stopped',
        'postgres answer dropped',
        'strangers',
      ]),
    );
    expect((await runSchedule(schedule, context)).broken).toEqual([]);
  });

  it('notices a build whose relay deletes rows before the log has them', {
    timeout: RUN_TIMEOUT_MS,
  }, async (context) => {
    const schedule: Schedule = {
      seed: 0,
      log: 'kafka',
      subscribers: 1_500,
      campaigns: [],
      correction: null,
      cap: null,
      deliveries: [{ atMs: 1_000, lane: 'bulk' }],
      // Longer than a relay tries to publish: what it deleted without waiting is lost for certain.
      faults: [{ kind: 'kafka cut off', atMs: 0, forMs: 20_000, engine: 0 }],
    };
    const preload = brokenBuilds['deletes outbox rows before the log has them'];
    const { broken } = await runSchedule(schedule, context, preload);
    expect(broken.join('\n')).toMatch(/delivery \d+ is queued/);
  });
});
