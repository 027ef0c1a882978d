import { spawnSync } from 'node:child_process';
import { describe } from 'vitest';

const hint = 'apt-get install --no-install-recommends prometheus';

/** Tests that need Prometheus: its `promtool`, and its server. */
export function describePrometheus(name: string, work: () => void): void {
  const isHere = ['promtool', 'prometheus'].every(
    (command) => spawnSync(command, ['--version'], { stdio: 'ignore' }).status === 0,
  );
  if (!isHere && process.env.REQUIRE_PROMTOOL === '1')
    throw new Error(`${name}: prometheus is missing here: ${hint}`);
  if (!isHere) console.warn(`SKIPPED, ${name}: prometheus is missing here (${hint})`);
  describe.runIf(isHere)(name, work);
}
