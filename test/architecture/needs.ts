import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { type Mark, root, type Tier, tiers } from '../support/tiers/tiers.ts';

/** What a test file certainly needs, by what it and its helpers import as they are loaded. */
export function needsOf(test: string): Mark {
  const files = reachedFrom(test);
  const alone = files.some((file) => file.startsWith('test/') && opensClickHouse.test(textOf(file)));
  if (alone || files.some((file) => ofSystem.test(file) || starts(file))) return { tier: 'core', alone };
  return { tier: files.includes('test/support/postgres.ts') ? 'postgres' : 'unit', alone };
}

/** A higher tier holds what a lower one needs; `core` and `system` hold the same. */
const placeOf = (tier: Tier): number => Math.min(tiers.indexOf(tier), tiers.indexOf('core'));

/** What is wrong with a file's mark, or null. A test of a low need may be in a high tier, where it is dear. */
export function faultOf(mark: Mark, needs: Mark): string | null {
  if (placeOf(mark.tier) < placeOf(needs.tier)) return `is of "${mark.tier}", and needs "${needs.tier}"`;
  if (needs.alone && !mark.alone) return 'opens the embedded ClickHouse, and does not say "alone"';
  if (mark.alone && placeOf(mark.tier) < placeOf('core')) return `cannot be "alone" in "${mark.tier}"`;
  return null;
}

const opensClickHouse = /\b(?:openTestClickHouse|openEmbedded)\(|kind:\s'embedded'/;
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
