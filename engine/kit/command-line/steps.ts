import { type Clock, systemClock } from '../../contract/concurrency/clock.ts';
import { lineDrawer, print } from './terminal.ts';

/** Between two lines about a step that takes long, where lines stay. */
const SAY_AGAIN_MS = 10_000;
/** On a terminal: from when on the line about it is drawn, and how often it changes. */
const DRAW_AFTER_MS = 3_000;
const DRAW_AGAIN_MS = 1_000;

export interface Step {
  /** `Starting Postgres`. */
  readonly what: string;
  /** What it waits for, said once it takes long. */
  readonly waitsFor: string;
}

export interface StepOutput {
  /** A line that stays. */
  readonly say: (line: string) => void;
  /** Draws over the line that it drew before, and leaves it with an empty one; null: lines stay, so they are few. */
  readonly draw: ((line: string) => void) | null;
  readonly clock: Clock;
}

export const stepOutput = (): StepOutput => ({ say: print, draw: lineDrawer(), clock: systemClock });

export interface RunningStep {
  /** Nothing more is said. Safe to call twice. */
  end(): void;
}

/**
 * Says that a part of long work begins, so that nobody waits before a silent terminal; and while it takes long, what is
 * waited for, and how long by now.
 */
export function beginStep({ what, waitsFor }: Step, output = stepOutput()): RunningStep {
  const { say, draw, clock } = output;
  const beganMs = clock.now();
  const seconds = (): number => Math.round((clock.now() - beganMs) / 1_000);
  let timer = { clear: (): void => {} };
  let isDrawn = false;
  const after = (delayMs: number, show: () => void, againMs: number): void => {
    timer = clock.setTimer(delayMs, () => {
      show();
      after(againMs, show, againMs);
    });
  };
  say(`${what}…`);
  if (draw === null) after(SAY_AGAIN_MS, () => say(`${what}… ${seconds()} s: ${waitsFor}`), SAY_AGAIN_MS);
  else {
    const drawOver = (): void => {
      isDrawn = true;
      draw(`  ${seconds()} s: ${waitsFor}`);
    };
    after(DRAW_AFTER_MS, drawOver, DRAW_AGAIN_MS);
  }
  return {
    end: () => {
      timer.clear();
      if (isDrawn) draw?.('');
      isDrawn = false;
    },
  };
}

/** As `beginStep`, for the time of some work. */
export async function step<Result>(
  which: Step,
  work: () => Promise<Result>,
  output = stepOutput(),
): Promise<Result> {
  const running = beginStep(which, output);
  try {
    return await work();
  } finally {
    running.end();
  }
}
