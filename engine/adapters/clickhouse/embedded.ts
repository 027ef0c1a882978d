import { chmod, mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { ClickHouseLogLevel, createClient } from '@clickhouse/client';
import { systemClock } from '../../contract/concurrency/clock.ts';
import { within } from '../../contract/concurrency/time-limit.ts';
import type { ClickHouse } from './clickhouse.ts';
import {
  type Connection,
  createQueuedConnection,
  type EmbeddedConnections,
  joinConnections,
} from './embedded-connections.ts';
import { insertThroughFile, PATH_PATTERN } from './insert-file.ts';
import { loadChdb } from './load-chdb.ts';

/** A statement that needs more fails alone, instead of the process being killed for all. */
const STATEMENT_MEMORY_BYTES = 1024 ** 3;
/** The process exits only after the statements on its threads, so none may run forever. */
const STATEMENT_SECONDS = 60;
const KILL_INTERVAL_MS = 50;
/** It compares its own count of memory with the process's 20 times a second, unless it is given another period. */
const ENGINE_ARGUMENTS = ['--memory_worker_period_ms=1000'];
/** In the folder, so that it goes with it. */
const INSERT_FILE = 'broadside-insert.rows';

interface EmbeddedHome {
  readonly path: string;
  readonly database: string;
}

export async function openEmbedded(home: EmbeddedHome): Promise<ClickHouse> {
  await makePrivate(home.path);
  const { drainPending, Session } = await loadChdb();
  const { createChdbConnection } = await import('chdb/connection');
  // All connections share one engine, which the first one starts; only a session passes its arguments on.
  const start = (path: string) => new Session(path, { connectionArgs: ENGINE_ARGUMENTS });
  const first = openFolder<{ close(): void }>(start, home.path);
  const open = () => openFolder<Connection>((path) => createChdbConnection({ path }), home.path);
  const connections = {
    reads: createQueuedConnection(open()),
    heavy: createQueuedConnection(open()),
    writes: createQueuedConnection(insertThroughFile(open(), join(home.path, INSERT_FILE))),
  };
  for (const { connection } of [connections.writes, connections.reads, connections.heavy]) {
    await prepare(connection, home.database);
  }
  first.close();
  const client = createClient({
    connection: joinConnections(connections),
    log: { level: ClickHouseLogLevel.OFF },
  });
  let closing: Promise<void> | null = null;
  return {
    client,
    database: home.database,
    isEmbedded: true,
    createDatabase: async () => {},
    // It lives and dies with this process; a statement would queue behind a long report.
    ping: async () => closing === null,
    close: () => {
      closing ??= closeInOrder(connections, drainPending);
      return closing;
    },
  };
}

/** The engine makes its files world-readable, and did so in the folders of older releases. */
async function makePrivate(path: string): Promise<void> {
  await mkdir(path, { recursive: true, mode: 0o700 });
  await chmod(path, 0o700);
}

/** Of the other systems' builds the lock file has no hash, and `npm ci` installs nothing unchecked. */
const remedy =
  `${process.platform}-${process.arch}` === 'linux-x64'
    ? 'One process at a time may hold it: stop the other one, or give this one another folder.'
    : 'Here "npm ci" installs no embedded ClickHouse: set CLICKHOUSE_URL to a server, or see "On macOS and arm64" in engine/OPERATIONS.md.';

function openFolder<Opened>(open: (path: string) => unknown, path: string): Opened {
  if (PATH_PATTERN.test(path))
    throw new Error(`the ClickHouse folder ${path} must have none of * ? { } in its path`);
  try {
    // `chdb` and the client each carry their own copy of the same declarations: equal, yet strangers to tsc.
    return open(path) as Opened;
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new Error(`the ClickHouse folder ${path} could not be opened: ${reason}. ${remedy}`, {
      cause: error,
    });
  }
}

/** A connection is one session: settings made once here hold for every statement on it. */
async function prepare(connection: Connection, database: string): Promise<void> {
  await connection.command({ query: `CREATE DATABASE IF NOT EXISTS ${database}` });
  await connection.command({ query: `USE ${database}` });
  await connection.command({
    query: `SET max_memory_usage = ${STATEMENT_MEMORY_BYTES}, max_execution_time = ${STATEMENT_SECONDS}`,
  });
}

/**
 * Running writes finish, reads are cancelled. A connection destroyed under a running statement aborts the
 * engine for the whole process: chdb delays its end until then, and only `drainPending` reports it.
 */
async function closeInOrder(
  { reads, heavy, writes }: EmbeddedConnections,
  drain: () => Promise<void>,
): Promise<void> {
  const readsEnded = Promise.all([reads.statements.close(), heavy.statements.close()]);
  await writes.statements.close();
  do {
    // Again while one is left: a read that had not begun was not found. ASYNC: SYNC would wait for itself.
    await writes.connection.command({ query: `KILL QUERY WHERE query_kind = 'Select' ASYNC` });
  } while (!(await within(systemClock, KILL_INTERVAL_MS, readsEnded)));
  for (const { connection } of [reads, heavy, writes]) await connection.close();
  await drain();
}
