import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';
import { beginRun } from '../../test/support/run/begin-run.ts';

beginRun();

/** The pages stand on what the dashboard's tests stand on: a Postgres for the run, and a world that fills every page. */
export default defineConfig({
  root: fileURLToPath(new URL('../..', import.meta.url)),
  test: {
    include: ['bench/pages/measure.ts'],
    globalSetup: ['test/support/global-setup.ts'],
    experimental: { viteModuleRunner: false, nodeLoader: false },
    testTimeout: 3 * 3_600_000,
    // Standard output is for the rows.
    disableConsoleIntercept: true,
    reporters: [
      {
        onTestCaseResult: (test) => {
          for (const { message } of test.result().errors ?? []) console.error(`  ${message}`);
        },
      },
    ],
  },
});
