import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';
import { temporaryFolder } from './support/memory-folder.ts';
import { elapsedReporter } from './support/tiers/elapsed-reporter.ts';
import { LongestFirst } from './support/tiers/longest-first.ts';
import { sharesProcess, testsByTier } from './support/tiers/tiers.ts';

process.env.TMPDIR = temporaryFolder();
// Threads and processes of tests begin in two thirds of the time.
process.env.NODE_COMPILE_CACHE ??= fileURLToPath(new URL('../.cache/compiled', import.meta.url));
const { unit, postgres, system } = testsByTier();
/** Files one after another in the same process: to load Fastify and all routes again took a quarter of the time. */
const sharedProcess = {
  isolate: false,
  setupFiles: ['test/support/fixed-seed.ts', 'test/support/real-timers.ts'],
};
const withPostgres = ['test/support/global-setup.ts'];
const { shared = [], alone = [] } = Object.groupBy(system, (file) =>
  sharesProcess(file) ? 'shared' : 'alone',
);

export default defineConfig({
  root: fileURLToPath(new URL('..', import.meta.url)),
  test: {
    // A bound on what hangs, wide enough for a machine that is busy with other things: no test is about speed.
    testTimeout: 180_000,
    hookTimeout: 180_000,
    expect: { poll: { timeout: 30_000 } },
    // More than two cores, since a test often waits: for a process, a browser, or a back-off.
    maxWorkers: 3,
    sequence: { sequencer: LongestFirst },
    reporters: ['default', elapsedReporter],
    // Node loads them as it loads Broadside, and no test replaces a module: to transform them took an eighth of the CPU.
    experimental: { viteModuleRunner: false, nodeLoader: false },
    projects: [
      { extends: true, test: { name: 'unit', include: [...unit], ...sharedProcess } },
      {
        extends: true,
        test: { name: 'postgres', include: [...postgres], globalSetup: withPostgres, ...sharedProcess },
      },
      { extends: true, test: { name: 'system', include: alone, globalSetup: withPostgres } },
      {
        extends: true,
        test: { name: 'shared', include: shared, globalSetup: withPostgres, ...sharedProcess },
      },
    ],
  },
});
