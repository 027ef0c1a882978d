import { fileURLToPath } from 'node:url';
import { defineConfig, type TestProjectConfiguration } from 'vitest/config';
import { beginRun } from './support/run/begin-run.ts';
import { isLeftOut } from './support/tiers/before-release.ts';
import { elapsedReporter } from './support/tiers/elapsed-reporter.ts';
import { LongestFirst } from './support/tiers/longest-first.ts';
import { markedTests, type Place, type Tier } from './support/tiers/tiers.ts';

beginRun();
// Threads and processes of tests begin in two thirds of the time.
process.env.NODE_COMPILE_CACHE ??= fileURLToPath(new URL('../.cache/compiled', import.meta.url));
const PROPERTIES = 'test/support/properties.ts';
const REAL_TIMERS = 'test/support/real-timers.ts';
const places = {
  /** Files one after another in the same process: to load Fastify and all routes again took a quarter of the time. */
  shared: {
    isolate: false,
    setupFiles: [PROPERTIES, REAL_TIMERS, 'test/support/tiers/no-clickhouse.ts'],
  },
  clickhouse: { isolate: false, setupFiles: [PROPERTIES, REAL_TIMERS] },
  alone: { setupFiles: [PROPERTIES] },
} satisfies Record<Place, object>;
const withPostgres = { globalSetup: ['test/support/global-setup.ts'] };
const tests = [...markedTests()].filter(([file]) => !isLeftOut(file));

function project(tier: Tier, place: Place = 'shared'): TestProjectConfiguration {
  const include = tests
    .filter(([, mark]) => mark.tier === tier && mark.place === place)
    .map(([file]) => file);
  const name = place === 'shared' ? tier : `${tier}-${place}`;
  const test = { name, include, ...(tier === 'unit' ? {} : withPostgres), ...places[place] };
  return { extends: true, test };
}

export default defineConfig({
  root: fileURLToPath(new URL('..', import.meta.url)),
  test: {
    // Bounds on what hangs, wide enough for a machine that is busy with other things: no test is about speed.
    testTimeout: 300_000,
    hookTimeout: 300_000,
    // Of the run's own servers, which would be left running past it.
    teardownTimeout: 120_000,
    expect: { poll: { timeout: 120_000 } },
    // More than two cores, since a test often waits: for a process, a browser, or a back-off.
    maxWorkers: 4,
    sequence: { sequencer: LongestFirst },
    reporters: ['default', elapsedReporter],
    // Node loads them as it loads Broadside, and no test replaces a module: to transform them took an eighth of the CPU.
    experimental: { viteModuleRunner: false, nodeLoader: false },
    projects: [
      ...[project('unit'), project('postgres')],
      ...[project('core'), project('core', 'clickhouse'), project('core', 'alone')],
      ...[project('system'), project('system', 'clickhouse'), project('system', 'alone')],
    ],
  },
});
