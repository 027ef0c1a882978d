import { spawnSync } from 'node:child_process';
import { describe } from 'vitest';

const hint = 'apt-get install --no-install-recommends pgbouncer';

/** Tests that need a real PgBouncer. */
export function describePgBouncer(name: string, work: () => void): void {
  const isHere = spawnSync('pgbouncer', ['--version'], { stdio: 'ignore' }).status === 0;
  if (!isHere && process.env.REQUIRE_PGBOUNCER === '1')
    throw new Error(`${name}: pgbouncer is missing here: ${hint}`);
  if (!isHere) console.warn(`SKIPPED, ${name}: pgbouncer is missing here (${hint})`);
  describe.runIf(isHere)(name, work);
}
