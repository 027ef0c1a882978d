import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/**
 * What a test needs, and which command runs it. The first line of its file says so, and nothing else does:
 *
 * - `unit`: nothing but Node.
 * - `postgres`: a database of its own on the run's Postgres.
 * - `core`: ClickHouse, Kafka, browsers, processes or worker threads of its own, or the whole repository. `npm test`
 *   runs these and the two above.
 * - `system`: the same needs. Only `npm run test:all` runs these.
 *
 * A process has the embedded ClickHouse in one folder at a time. `clickhouse` stands behind the tier of a file that opens
 * it by `openTestClickHouse`: it shares its process with others of the mark, in databases of their own. `alone` stands
 * behind that of a file with a folder of its own, or with another way to load the engine: no other file shares its process.
 */
export const tiers = ['unit', 'postgres', 'core', 'system'] as const;
export type Tier = (typeof tiers)[number];

/** Whom a file shares its process with, from most of the others to none. */
export const places = ['shared', 'clickhouse', 'alone'] as const;
export type Place = (typeof places)[number];

export interface Mark {
  readonly tier: Tier;
  readonly place: Place;
}

export const root = fileURLToPath(new URL('../../..', import.meta.url));
const firstLine = new RegExp(`^// tier: (${tiers.join('|')})(?:, (clickhouse|alone))?\n`);

/** @throws Error where the first line names no tier. */
export function readMark(file: string, text: string): Mark {
  const [, tier, place = 'shared'] = firstLine.exec(text) ?? [];
  if (tier === undefined)
    throw new Error(
      `${file} does not say what it needs: begin it with "// tier: unit", or another tier that test/README.md lists.`,
    );
  return { tier: tier as Tier, place: place as Place };
}

/** Every test file by its path from the project's root. */
export const markedTests = (): ReadonlyMap<string, Mark> =>
  new Map(
    globSync('test/**/*.test.ts', { cwd: root })
      .sort()
      .map((file) => [file, readMark(file, readFileSync(join(root, file), 'utf8'))]),
  );
