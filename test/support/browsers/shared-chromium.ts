import { execFile } from 'node:child_process';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Browser } from 'puppeteer-core';
import { inject } from 'vitest';
import { startChromium } from './chromium.ts';

const endMarked = fileURLToPath(new URL('../ci/end-marked.sh', import.meta.url));
const profilesOf = (runFolder: string): string => join(runFolder, 'shared-browsers');

const shared = new Map<string, Promise<Browser>>();

/**
 * One of each kind for all test files of this process, which share its modules (`test/vitest.config.ts`); a file has tabs
 * of its own contexts there, and nothing of them is left for the next. The browser ends with the process.
 */
export async function sharedChromium(executable: string): Promise<Browser> {
  const before = await shared.get(executable)?.catch(() => undefined);
  if (before?.connected === true) return before;
  // It is killed with the process, before it could remove a folder of its own.
  const profile = join(profilesOf(inject('runFolder')), `${basename(executable)}-${process.pid}`);
  const starting = startChromium({ executable, profile });
  shared.set(executable, starting);
  return starting;
}

/**
 * Once the processes of the tests are gone. Vitest kills them half a second after it told them to end, and on a busy
 * machine their browsers take longer.
 */
export const endSharedBrowsers = (runFolder: string): Promise<void> =>
  new Promise((ended) => void execFile('sh', [endMarked, profilesOf(runFolder)], () => ended()));
