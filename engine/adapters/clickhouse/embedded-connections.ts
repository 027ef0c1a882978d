import type { createClient } from '@clickhouse/client';
import { createFairQueue, type FairQueue } from '../../contract/concurrency/fair-queue.ts';
import { clickHouseErrorCode } from './errors.ts';

/** The replacement for `createClient`'s own HTTP connection. */
export type Connection = NonNullable<NonNullable<Parameters<typeof createClient>[0]>['connection']>;

/** A connection to the embedded engine, and the queue of statements in front of it. */
export interface QueuedConnection {
  readonly connection: Connection;
  readonly statements: FairQueue;
}

/** Beyond this a statement is refused at once: the callers are far ahead of the engine. */
const STATEMENTS_WAITING = 1_000;

/**
 * The engine runs the statements of one connection one after the other, and each statement inside it, running or
 * waiting, holds a thread of libuv. A process has four of those, and DNS lookups need some. So statements wait
 * here, and there are only three connections.
 */
export const createQueuedConnection = (connection: Connection): QueuedConnection => ({
  connection,
  statements: createFairQueue({ permits: 1, waiting: STATEMENTS_WAITING }),
});

export interface EmbeddedConnections {
  readonly writes: QueuedConnection;
  /** Short statements. */
  readonly reads: QueuedConnection;
  /** Reports that read more than `LIGHT_ROWS`. */
  readonly heavy: QueuedConnection;
}

/** Read in 0.1 to 0.3 s: a week of 50 million rows over half a year. */
const LIGHT_ROWS = 2_000_000;

/** Three connections behind one client: no report delays an insert, and no heavy report delays a light one. */
export function joinConnections({ reads, writes, heavy }: EmbeddedConnections): Connection {
  const exec = (queued: QueuedConnection, params: ExecParams) =>
    runOn(queued, async (connection) => {
      // The client disconnected while the statement was queued: once it runs, nothing could cancel it.
      params.abort_signal?.throwIfAborted();
      try {
        return await connection.exec(checked(params));
      } catch (error) {
        // The engine keeps a failed statement, and its resources, until the connection is used again.
        await connection.command({ query: 'SELECT 1' }).catch(() => {});
        throw error;
      }
    });
  return {
    query: (params) => runOn(reads, (connection) => connection.query(checked(params))),
    ping: (params) => runOn(reads, (connection) => connection.ping(params)),
    command: (params) => runOn(writes, (connection) => connection.command(checked(params))),
    exec: async (params) => {
      if (!READ.test(params.query)) return exec(writes, params);
      if (!WITH_SETTINGS.test(params.query)) return exec(reads, params);
      try {
        return await exec(reads, { ...params, query: `${params.query}, ${onlyLight}` });
      } catch (error) {
        if (clickHouseErrorCode(error) !== TOO_MANY_ROWS) throw error;
        return exec(heavy, params);
      }
    },
    insert: (params) => runOn(writes, (connection) => connection.insert(checked(params))),
    // The opener closes the connections, in order.
    close: async () => {},
  };
}

/** @throws Error where too many statements wait, or the engine closes before its turn: nothing ran. */
async function runOn<Result>(
  { connection, statements }: QueuedConnection,
  work: (connection: Connection) => Promise<Result>,
): Promise<Result> {
  const result = await statements.run(() => work(connection));
  if (result === 'full') throw new Error('too many statements wait for ClickHouse');
  if (result === 'closed') throw new Error('ClickHouse is closed');
  return result;
}

type ExecParams = Parameters<Connection['exec']>[0];

/** A report comes through `exec`, which gives the bytes of any format; its settings are the last line of it. */
const READ = /^\s*(SELECT|WITH)\b/i;
const WITH_SETTINGS = /\nSETTINGS [^\n]*$/;
/** The engine estimates from its index how much a statement would read, and refuses it before it reads anything. */
const onlyLight = `max_rows_to_read = ${LIGHT_ROWS}, read_overflow_mode = 'throw'`;
const TOO_MANY_ROWS = 158;

/** Settings that only shape HTTP answers; chdb drops them. */
const httpOnly: ReadonlySet<string> = new Set(['wait_end_of_query', 'enable_http_compression']);

/**
 * Refuses parameters that the embedded engine would accept and treat differently from a server. chdb turns
 * `clickhouse_settings` into `SET` on its session, so they affect every later statement: a deduplication token
 * given that way would make ClickHouse drop the next insert as a repetition. And it writes a Date without its
 * milliseconds.
 */
function checked<Params extends { readonly clickhouse_settings?: object; readonly query_params?: object }>(
  params: Params,
): Params {
  for (const name of Object.keys(params.clickhouse_settings ?? {})) {
    if (!httpOnly.has(name))
      throw new Error(`write the setting ${name} into the statement (SETTINGS ${name} = …)`);
  }
  for (const [name, value] of Object.entries(params.query_params ?? {})) {
    if (value instanceof Date) throw new Error(`pass the time ${name} as a number of milliseconds`);
  }
  return params;
}
