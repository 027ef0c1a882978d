import { existsSync, readFileSync } from 'node:fs';
import { afterAll, expect } from 'vitest';

const MAPPED = '/proc/self/maps';

/** The next file of this process could not open the embedded ClickHouse, nor do without it. Seen on Linux, as CI runs. */
afterAll(() => {
  if (!existsSync(MAPPED) || !readFileSync(MAPPED, 'utf8').includes('chdb')) return;
  const { testPath } = expect.getState();
  throw new Error(
    `${testPath} opens the embedded ClickHouse: write "clickhouse" or "alone" into its first line.`,
  );
});
