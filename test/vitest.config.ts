import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';
import { temporaryFolder } from './support/memory-folder.ts';
import { testsByTier } from './support/tiers/tiers.ts';

process.env.TMPDIR = temporaryFolder();
const { unit, postgres, system } = testsByTier();
const withPostgres = ['test/support/global-setup.ts'];

export default defineConfig({
  root: fileURLToPath(new URL('..', import.meta.url)),
  test: {
    // A bound on what hangs, wide enough for a machine that is busy with other things: no test is about speed.
    testTimeout: 180_000,
    hookTimeout: 180_000,
    expect: { poll: { timeout: 30_000 } },
    maxWorkers: 2,
    projects: [
      { extends: true, test: { name: 'unit', include: [...unit] } },
      { extends: true, test: { name: 'postgres', include: [...postgres], globalSetup: withPostgres } },
      { extends: true, test: { name: 'system', include: [...system], globalSetup: withPostgres } },
    ],
  },
});
