import { describe } from 'vitest';
import { type BrowserName, executableOf, missing } from './executable.ts';

/**
 * A suite that needs a real browser. Where the machine has none it is skipped and says why, unless
 * REQUIRE_BROWSERS=1 (CI): then it fails.
 */
export function describeBrowser(
  browser: BrowserName,
  name: string,
  suite: (executable: string) => void,
): void {
  const executable = executableOf(browser);
  if (executable !== null) return void describe(name, () => suite(executable));
  const reason = missing(browser);
  if (process.env.REQUIRE_BROWSERS === '1') throw new Error(reason);
  console.warn(`SKIPPED, ${browser} is not tested here: ${reason}`);
  describe.skip(name, () => suite(''));
}
