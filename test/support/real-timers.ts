import { beforeAll, expect } from 'vitest';

/** Of the process, which runs one file after another. */
const kept = globalThis as { realTimers?: { setTimeout: typeof setTimeout; after: string } };

/** A file that leaves a fake clock behind would let every later one in its process wait without end. */
beforeAll(() => {
  const file = expect.getState().testPath ?? '';
  kept.realTimers ??= { setTimeout: globalThis.setTimeout, after: '' };
  const { setTimeout: real, after } = kept.realTimers;
  kept.realTimers.after = file;
  if (globalThis.setTimeout === real) return;
  globalThis.setTimeout = real;
  throw new Error(`${after} left a fake setTimeout behind, and this file would wait on it`);
});
