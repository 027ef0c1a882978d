import type { LogHarness, LogWorld } from './log.ts';

/** Runs one test in a log of its own, which is gone afterwards however the test ended. */
export async function inWorld(harness: LogHarness, test: (world: LogWorld) => Promise<void>): Promise<void> {
  const world = await harness.open();
  try {
    await test(world);
  } finally {
    await world.close();
  }
}
