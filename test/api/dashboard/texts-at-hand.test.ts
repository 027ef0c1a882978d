// tier: unit
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { atOnce } from '../../../api/dashboard/web/texts/en/at-once.ts';
import { home } from '../../../api/dashboard/web/texts/en/home.ts';
import { later } from '../../../api/dashboard/web/texts/en/later.ts';

const web = fileURLToPath(new URL('../../../api/dashboard/web', import.meta.url));

/** What these files import as they load, with themselves. */
function loadedWith(files: readonly string[]): string[] {
  const found = new Set<string>();
  const open = files.map((file) => join(web, file));
  for (let file = open.pop(); file !== undefined; file = open.pop()) {
    if (found.has(file) || !/\.tsx?$/.test(file)) continue;
    found.add(file);
    const imports = readFileSync(file, 'utf8').matchAll(
      /^(?:import|export) (?!type )[^;]*?from '(\.[^']+)'/gm,
    );
    for (const [, path = ''] of imports) open.push(join(dirname(file), path));
  }
  return [...found];
}

/** The first names of the texts that they read. */
function readBy(files: readonly string[]): string[] {
  const names = files.flatMap((file) =>
    [...readFileSync(file, 'utf8').matchAll(/(?<!\.)\bt\.(?!ts\b)(\w+)/g)].map(([, name = '']) => name),
  );
  return [...new Set(names)];
}

/** A text that is loaded later is undefined until then, and no type says so. */
const missing = (files: readonly string[], texts: object): string[] =>
  readBy(loadedWith(files)).filter((name) => !Object.hasOwn(texts, name));

describe('texts that a page reads are loaded before it', () => {
  it('at the log-in', () => {
    const files = ['start.tsx'];
    expect(readBy(loadedWith(files)).length).toBeGreaterThan(5);
    expect(missing(files, atOnce)).toEqual([]);
  });

  it('in the frame and on the overview', () => {
    const files = ['frame/shell.tsx', 'overview/overview-page.tsx'];
    expect(readBy(loadedWith(files)).length).toBeGreaterThan(10);
    expect(missing(files, { ...atOnce, ...home })).toEqual([]);
  });

  it('on a page that most people go to', () => {
    const files = [
      'compose/compose-page.tsx',
      'deliveries/delivery-page.tsx',
      'analytics/analytics-page.tsx',
    ];
    expect(missing(files, { ...atOnce, ...home, ...later })).toEqual([]);
  });

  it('else they are named', () => {
    expect(missing(['compose/compose-page.tsx'], { ...atOnce, ...home })).toContain('compose');
  });
});
