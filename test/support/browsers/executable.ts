import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';

const names = { firefox: ['firefox-esr', 'firefox'], chromium: ['chromium', 'chromium-browser'] } as const;

export type BrowserName = keyof typeof names;

/** @returns the first of the browser's names that is on the PATH; null where none is. */
export const executableOf = (browser: BrowserName): string | null => firstOf(names[browser]);

/**
 * For pages that need nothing but the engine, no notification, push or permission: the same Chromium without its window,
 * settings and profiles, in which a page costs little more than half. Chromium itself where the machine lacks it.
 */
export const executableForPages = (chromium: string): string =>
  firstOf(['chromium-headless-shell']) ?? chromium;

function firstOf(programs: readonly string[]): string | null {
  const folders = (process.env.PATH ?? '').split(delimiter);
  const paths = programs.flatMap((name) => folders.map((folder) => join(folder, name)));
  return paths.find((path) => existsSync(path)) ?? null;
}

/** Why the browser cannot be used here, and how to get it. */
export const missing = (browser: BrowserName): string =>
  `none of ${names[browser].join(', ')} is on the PATH: apt-get install ${names[browser][0]}`;
