import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

/**
 * What a test needs:
 *
 * - `unit`: nothing but Node.
 * - `postgres`: a database of its own on the run's Postgres.
 * - `system`: ClickHouse, Kafka, browsers, processes or worker threads of its own; and whatever checks the whole house.
 *
 * A test is in the tier that its imports say, so nobody has to keep a list.
 */
export type Tier = 'unit' | 'postgres' | 'system';

const root = fileURLToPath(new URL('../../..', import.meta.url));

/** The test files of each tier, as paths from the project's root. */
export function testsByTier(): Readonly<Record<Tier, readonly string[]>> {
  const found: Record<Tier, string[]> = { unit: [], postgres: [], system: [] };
  for (const file of globSync('test/**/*.test.ts', { cwd: root }).sort()) found[tierOf(file)].push(file);
  return found;
}

const systemFolders = /^test\/(architecture|bench|browser|chaos|starting)\//;
/** Files that start something, or are ClickHouse itself. */
const systemParts =
  /^(test\/support\/(kafka|browsers|broadside-process|clickhouse-bridge|engine-crew|push-service\/start)|engine\/adapters\/clickhouse\/embedded|engine\/dispatch\/worker-pool)/;

/** @param file from the project's root. */
export function tierOf(file: string): Tier {
  const { files, starters } = reachedFrom(file);
  if (systemFolders.test(file) || starters.length > 0 || files.some((each) => systemParts.test(each)))
    return 'system';
  return files.includes('test/support/postgres.ts') ? 'postgres' : 'unit';
}

/** One at a time in a process, and permanently in the same folder. */
const embeddedEngine = 'engine/adapters/clickhouse/embedded.ts';

/** Whether files of `system` run one after another in the same process: to load the same modules again takes a second. */
export const sharesProcess = (file: string): boolean => !reachedFrom(file).files.includes(embeddedEngine);

/** Everything that a test imports, and those of its own helpers that start processes. */
function reachedFrom(test: string): { files: string[]; starters: string[] } {
  const files = new Set([test]);
  for (const file of files) for (const imported of importsOf(file).files) files.add(imported);
  return { files: [...files], starters: [...files].filter((file) => importsOf(file).starts) };
}

interface Imports {
  /** Of this project, from its root. */
  readonly files: readonly string[];
  readonly starts: boolean;
}

/** Types are gone when a test runs. */
const importText =
  /(?:^|\n)\s*(?:import|export)\s(?!type\b)[^;]*?from\s+'([^']+)'|import\('([^']+)'\)|(?:^|\n)import '([^']+)'/g;
/** Each file is read once: tests reach the same hundreds of files. */
const known = new Map<string, Imports>();

function importsOf(file: string): Imports {
  const before = known.get(file);
  if (before !== undefined) return before;
  const names = Array.from(
    readFileSync(join(root, file), 'utf8').matchAll(importText),
    ([, from, dynamic, bare]) => from ?? dynamic ?? bare ?? '',
  );
  const files = names
    .filter((name) => name.startsWith('.') && name.endsWith('.ts'))
    .map((name) => relative(root, resolve(root, dirname(file), name)))
    // Some tests write programs, whose imports stand in their texts.
    .filter((path) => existsSync(join(root, path)));
  const imports = { files, starts: /^(test|bench)\//.test(file) && names.includes('node:child_process') };
  known.set(file, imports);
  return imports;
}
