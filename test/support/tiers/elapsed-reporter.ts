import type { Reporter } from 'vitest/node';

/** The last line of a run: how long it took, with the start of its services. */
export const elapsedReporter: Reporter = {
  onTestRunEnd: () => {
    const seconds = Math.round(process.uptime());
    console.log(`The tests took ${Math.floor(seconds / 60)} min ${seconds % 60} s.`);
  },
};
