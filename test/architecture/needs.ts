import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { type Mark, type Place, places, root, type Tier, tiers } from '../support/tiers/tiers.ts';

/** What a test file certainly needs, by what it and its helpers import as they are loaded. */
export function needsOf(test: string): Mark {
  const files = reachedFrom(test);
  const place = placeOf(files);
  if (place !== 'shared' || files.some((file) => ofSystem.test(file) || starts(file)))
    return { tier: 'core', place };
  return { tier: files.includes('test/support/postgres.ts') ? 'postgres' : 'unit', place };
}

function placeOf(files: readonly string[]): Place {
  const opens = files.some(
    (file) => file.startsWith('test/') && file !== ofProcess && opensClickHouse.test(textOf(file)),
  );
  if (opens) return 'alone';
  return files.includes(ofProcess) ? 'clickhouse' : 'shared';
}

/** A higher tier holds what a lower one needs; `core` and `system` hold the same. */
const heightOf = (tier: Tier): number => Math.min(tiers.indexOf(tier), tiers.indexOf('core'));

/** What is wrong with a file's mark, or null. A test of a low need may be in a high tier, where it is dear. */
export function faultOf(mark: Mark, needs: Mark): string | null {
  if (heightOf(mark.tier) < heightOf(needs.tier)) return `is of "${mark.tier}", and needs "${needs.tier}"`;
  if (places.indexOf(mark.place) < places.indexOf(needs.place))
    return `opens the embedded ClickHouse, and does not say "${needs.place}"`;
  if (mark.place !== 'shared' && heightOf(mark.tier) < heightOf('core'))
    return `cannot be "${mark.place}" in "${mark.tier}"`;
  return null;
}

/** The engine of a process, which its files share. */
const ofProcess = 'test/support/test-clickhouse.ts';
const opensClickHouse = /\bopenEmbedded\(|kind:\s'embedded'/;
/** Helpers that start something. */
const ofSystem =
  /^(test\/support\/(kafka|browsers|broadside-process|clickhouse-bridge|engine-crew|push-service\/start)|engine\/dispatch\/worker-pool)/;
const starts = (file: string): boolean =>
  /^(test|bench)\//.test(file) && importsOf(file).includes('node:child_process');

function reachedFrom(test: string): string[] {
  const files = new Set([test]);
  for (const file of files) for (const imported of filesOf(file)) files.add(imported);
  return [...files];
}

/** Types are gone when a test runs. */
const importText = /(?:^|\n)\s*(?:import|export)\s(?!type\b)(?:[^;]*?from\s+)?'([^']+)'/g;

const textOf = once((file) => readFileSync(join(root, file), 'utf8'));
const importsOf = once((file) => Array.from(textOf(file).matchAll(importText), ([, name]) => name ?? ''));
/** Some tests write programs, whose imports stand in their texts. */
const filesOf = once((file) =>
  importsOf(file)
    .filter((name) => name.startsWith('.') && name.endsWith('.ts'))
    .map((name) => relative(root, resolve(root, dirname(file), name)))
    .filter((path) => existsSync(join(root, path))),
);

/** Each file is read once: tests reach the same hundreds of files. */
function once<Read>(read: (file: string) => Read): (file: string) => Read {
  const known = new Map<string, Read>();
  return (file) => {
    const before = known.get(file);
    if (before !== undefined) return before;
    const found = read(file);
    known.set(file, found);
    return found;
  };
}
