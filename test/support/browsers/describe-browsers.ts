import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { describe } from 'vitest';

const names = { firefox: ['firefox-esr', 'firefox'], chromium: ['chromium', 'chromium-browser'] } as const;

export type BrowserName = keyof typeof names;

function executableOf(browser: BrowserName): string | null {
  const folders = (process.env.PATH ?? '').split(delimiter);
  const paths = names[browser].flatMap((name) => folders.map((folder) => join(folder, name)));
  return paths.find((path) => existsSync(path)) ?? null;
}

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
  const reason = `none of ${names[browser].join(', ')} is on the PATH: apt-get install ${names[browser][0]}`;
  if (process.env.REQUIRE_BROWSERS === '1') throw new Error(reason);
  console.warn(`SKIPPED, ${browser} is not tested here: ${reason}`);
  describe.skip(name, () => suite(''));
}
