import type { createClient } from '@clickhouse/client';
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
 * The engine runs the statements of one connection one after the other, and one that waits inside it holds
 * a thread of libuv, of which a process has four and look-ups of host names need some: so they wait here.
 */
export const createLane = (connection: Connection): Lane => ({
  connection,
  gate: createGate(1, STATEMENTS_WAITING),
});

/** Two lanes as the one connection of a client, so that no report makes an insert wait. */
export function joinLanes({ reads, writes }: { readonly reads: Lane; readonly writes: Lane }): Connection {
  return {
    query: (params) => reads.gate.run(() => reads.connection.query(checked(params))),
    ping: (params) => reads.gate.run(() => reads.connection.ping(params)),
    command: (params) => writes.gate.run(() => writes.connection.command(checked(params))),
    exec: (params) => {
      const { connection, gate } = isRead(params.query) ? reads : writes;
      return gate.run(() => {
        // Whoever went away while standing in line: nothing could end the statement once it runs unseen.
        params.abort_signal?.throwIfAborted();
        return connection.exec(checked(params));
      });
    },
    insert: (params) => writes.gate.run(() => writes.connection.insert(checked(params))),
    // Whoever opened the lanes closes them, in order.
    close: async () => {},
  };
}

/** A report comes through `exec`, which gives the bytes of any format. */
const isRead = (query: string): boolean => /^\s*(SELECT|WITH)\b/i.test(query);

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
