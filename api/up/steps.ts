import { type Clock, systemClock } from '../../engine/contract/concurrency/clock.ts';
import { print } from '../../engine/kit/command-line/terminal.ts';

/** A step that takes longer says so, and again at each of these times. */
const SAY_AGAIN_MS = 5_000;

export interface Step {
  /** `Starting Postgres`. */
  readonly what: string;
  /** What it waits for, said once it takes long. */
  readonly waitsFor: string;
}

/**
 * A line when a part begins to start, so that nobody waits before a silent terminal; on a slow machine more of them with
 * what is waited for, and how long by now.
 */
export async function step<Result>(
  { what, waitsFor }: Step,
  work: () => Promise<Result>,
  { say = print, clock = systemClock }: { say?: (line: string) => void; clock?: Clock } = {},
): Promise<Result> {
  const beganMs = clock.now();
  let timer = { clear: (): void => {} };
  const sayAgain = (): void => {
    timer = clock.setTimer(SAY_AGAIN_MS, () => {
      say(`${what}… ${Math.round((clock.now() - beganMs) / 1_000)} s: ${waitsFor}`);
      sayAgain();
    });
  };
  say(`${what}…`);
  sayAgain();
  try {
    return await work();
  } finally {
    timer.clear();
  }
}

export const steps = {
  load: { what: 'Loading Broadside', waitsFor: 'reads its code from disk' },
  postgres: {
    what: 'Starting Postgres',
    waitsFor:
      'waits until it takes connections; the first start makes its files, one after a crash repairs them',
  },
  migrate: {
    what: 'Opening Postgres',
    waitsFor: 'waits until it answers, and brings its tables to this version',
  },
  clickhouse: {
    what: 'Opening ClickHouse',
    waitsFor: 'waits until it has read its tables, and brings them to this version',
  },
  log: { what: 'Opening the log', waitsFor: 'waits until it answers' },
  engine: {
    what: 'Starting the engine',
    waitsFor: 'waits for its worker threads and its readers of the log',
  },
  reporting: { what: 'Starting the reporting API', waitsFor: 'waits for its readers of the log' },
  api: { what: 'Starting the API', waitsFor: 'waits until it listens' },
} as const satisfies Readonly<Record<string, Step>>;
