import type pg from 'pg';

/** Runs one statement; rows come as objects named by their columns, int8 as number. */
export interface Sql {
  query<Row extends object>(text: string, values?: readonly unknown[]): Promise<Row[]>;
}

/** Part of a SELECT: how long this transaction may be silent between two statements; 0: without a limit. */
export const silentForAtMost = (ms: number): string =>
  `set_config('idle_in_transaction_session_timeout', '${ms}ms', true)`;

/** Part of a SELECT: this transaction waits for other work. A machine that vanishes still loses its locks. */
export const mayBeSilent = silentForAtMost(0);

export function sqlOf(client: pg.PoolClient, answerTimeoutMs: number): Sql {
  return {
    query: async <Row extends object>(text: string, values?: readonly unknown[]) =>
      (await client.query(bounded(text, values, answerTimeoutMs))).rows as Row[],
  };
}

/**
 * A host that lost its power or its network is silent, and TCP takes a quarter of an hour to notice. Not as a
 * setting of the pool: COPY runs without the callback by which the driver would enforce the timeout.
 */
export function bounded(text: string, values: readonly unknown[] | undefined, answerTimeoutMs: number) {
  return { text, values: values as unknown[], query_timeout: answerTimeoutMs };
}
