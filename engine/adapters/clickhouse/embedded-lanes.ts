import type { createClient } from '@clickhouse/client';
import { clickHouseErrorCode } from './errors.ts';
import { createGate, type Gate } from './gate.ts';

/** What `createClient` takes in the place of its own HTTP connection. */
export type Connection = NonNullable<NonNullable<Parameters<typeof createClient>[0]>['connection']>;

/** A connection to the embedded engine, and the line of statements before it. */
export interface Lane {
  readonly connection: Connection;
  readonly gate: Gate;
}

/** Beyond it a statement is refused at once: whoever asks is far ahead of what the engine can do. */
const STATEMENTS_WAITING = 1_000;

/**
 * The engine runs the statements of one connection one after the other, and one that runs or waits inside it holds
 * a thread of libuv, of which a process has four and look-ups of host names need some: so they wait here, and
 * there are three lanes and not more.
 */
export const createLane = (connection: Connection): Lane => ({
  connection,
  gate: createGate(1, STATEMENTS_WAITING),
});

export interface Lanes {
  readonly writes: Lane;
  /** Whatever is over soon. */
  readonly reads: Lane;
  /** Reports that read more than `LIGHT_ROWS`. */
  readonly heavy: Lane;
}

/** Read in 0.1 to 0.3 s: a week of 50 million rows over half a year. */
const LIGHT_ROWS = 2_000_000;

/** The lanes as the one connection of a client, so that no report makes an insert wait, and no heavy one a light one. */
export function joinLanes({ reads, writes, heavy }: Lanes): Connection {
  const exec = ({ connection, gate }: Lane, params: ExecParams) =>
    gate.run(async () => {
      // The client disconnected while it stood in line: nothing could end the statement once it runs unseen.
      params.abort_signal?.throwIfAborted();
      try {
        return await connection.exec(checked(params));
      } catch (error) {
        // The engine keeps a statement that failed, and what it holds, until the connection is used again.
        await connection.command({ query: 'SELECT 1' }).catch(() => {});
        throw error;
      }
    });
  return {
    query: (params) => reads.gate.run(() => reads.connection.query(checked(params))),
    ping: (params) => reads.gate.run(() => reads.connection.ping(params)),
    command: (params) => writes.gate.run(() => writes.connection.command(checked(params))),
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
    insert: (params) => writes.gate.run(() => writes.connection.insert(checked(params))),
    // Whoever opened the lanes closes them, in order.
    close: async () => {},
  };
}

type ExecParams = Parameters<Connection['exec']>[0];

/** A report comes through `exec`, which gives the bytes of any format; its settings are the last line of it. */
const READ = /^\s*(SELECT|WITH)\b/i;
const WITH_SETTINGS = /\nSETTINGS [^\n]*$/;
/** The engine knows by its index what a statement would read, and refuses it before it reads anything. */
const onlyLight = `max_rows_to_read = ${LIGHT_ROWS}, read_overflow_mode = 'throw'`;
const TOO_MANY_ROWS = 158;

/** Settings that only shape HTTP answers; chdb drops them. */
const httpOnly: ReadonlySet<string> = new Set(['wait_end_of_query', 'enable_http_compression']);

/**
 * Refuses what the embedded engine would take and do otherwise than a server. chdb turns
 * `clickhouse_settings` into `SET` on its session, so they hold for every later statement of anybody: a
 * deduplication token given so would make ClickHouse drop the next insert as a repetition. And it writes a
 * Date without its milliseconds.
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
