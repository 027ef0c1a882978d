import { createWriteStream } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { buildApp } from '../../test/support/builders.ts';
import { runBroadside } from '../stand/cli.ts';
import { readDatabaseUs } from '../stand/database-time.ts';
import { startPostgres } from '../stand/databases.ts';
import { readProcStats } from '../stand/proc-stat.ts';
import { importLines } from './lines.ts';

export interface ImportRow {
  readonly lines: number;
  /** The app's content before. */
  readonly into: 'an empty installation' | 'the filled app' | 'the filled app, the same list';
  readonly seconds: number;
  readonly lines_per_second: number;
  /** User and system time of the command; null where the machine cannot report it. */
  readonly command_us_per_line: number | null;
  readonly postgres_us_per_line: number | null;
}

/**
 * A list of this size into an installation that holds nothing, another one into the app that then holds the first, and
 * that one again. Through the command, in a process of its own, as a user calls it. @throws Error where a line is
 * missing afterwards.
 */
export async function measureImports(lines: number, say: (text: string) => void): Promise<ImportRow[]> {
  await using opened = new AsyncDisposableStack();
  const folder = await mkdtemp(join(tmpdir(), 'broadside-bench-'));
  opened.defer(() => rm(folder, { recursive: true, force: true }));
  say(`making two lists of ${lines.toLocaleString('en')} lines`);
  const files = [join(folder, 'first.ndjson'), join(folder, 'second.ndjson')] as const;
  await pipeline(Readable.from(importLines(0, lines)), createWriteStream(files[0]));
  await pipeline(Readable.from(importLines(lines, lines)), createWriteStream(files[1]));
  say('starting Postgres');
  const postgres = await startPostgres(opened);
  const { identifier } = await buildApp(postgres.database);

  const measure = async (file: string, into: ImportRow['into']): Promise<ImportRow> => {
    say(`importing ${lines.toLocaleString('en')} lines into ${into}`);
    const [commandBefore, postgresBefore] = [await childrenUs(), await readDatabaseUs(postgres.folder)];
    const startedAt = performance.now();
    const args = ['import', 'subscriptions', '--app', identifier, '--json', file];
    const summary = JSON.parse(await runBroadside(args, { DATABASE_URL: postgres.url })) as Summary;
    const seconds = (performance.now() - startedAt) / 1000;
    const stored = into.endsWith('list') ? summary.updated : summary.inserted;
    if (stored !== lines) throw new Error(`${stored} of ${lines} lines are in`);
    return {
      ...{ lines, into, seconds: round(seconds, 1), lines_per_second: Math.round(lines / seconds) },
      command_us_per_line: perLine(commandBefore, await childrenUs(), lines),
      postgres_us_per_line: perLine(postgresBefore, await readDatabaseUs(postgres.folder), lines),
    };
  };
  return [
    await measure(files[0], 'an empty installation'),
    await measure(files[1], 'the filled app'),
    await measure(files[1], 'the filled app, the same list'),
  ];
}

interface Summary {
  readonly inserted: number;
  readonly updated: number;
}

/** Of the commands that this process ran. */
async function childrenUs(): Promise<number | null> {
  const processes = await readProcStats('/proc');
  return processes?.find(({ id }) => id === process.pid)?.childrenUs ?? null;
}

const perLine = (before: number | null, after: number | null, lines: number): number | null =>
  before === null || after === null ? null : round((after - before) / lines, 1);

const round = (value: number, digits: number): number => Number(value.toFixed(digits));
