import { pbkdf2Sync } from 'node:crypto';
import { threadId } from 'node:worker_threads';
import type { FromWorker, Probe } from './protocol.ts';

const TICK_MS = 20;
/** Some seconds in which no JavaScript of the thread runs, and nothing can end it. */
const NATIVE_ROUNDS = 8_000_000;

/** @param allowDeaths whether the acts that kill the thread are done or refused. */
export function createProbe(allowDeaths: boolean): (probe: Probe) => FromWorker {
  let ticks = 0;
  let ticking = false;

  function countTicks(): FromWorker {
    // Started by the first question: a thread that is never probed keeps no timer.
    if (!ticking) setInterval(() => ticks++, TICK_MS).unref();
    ticking = true;
    return { kind: 'probe-answer', threadId, ticks };
  }

  return function probe({ act }) {
    if (act === 'tick-count') return countTicks();
    if (!allowDeaths) return { kind: 'failed', message: `the probe '${act}' is for tests` };
    die(act);
    return { kind: 'probe-answer', threadId, ticks };
  };
}

function die(act: Exclude<Probe['act'], 'tick-count'>): void {
  if (act === 'exit') process.exit(7);
  if (act === 'spin') for (;;);
  if (act === 'spin-natively') return void pbkdf2Sync('', '', NATIVE_ROUNDS, 64, 'sha512');
  if (act === 'out-of-memory') fillTheHeap();
  setTimeout(() => {
    throw new Error('a late throw, asked for by a probe');
  }, 20);
}

function fillTheHeap(): never {
  const hoard: number[][] = [];
  for (;;) hoard.push(Array.from({ length: 100_000 }, (_, i) => i + 0.5));
}
