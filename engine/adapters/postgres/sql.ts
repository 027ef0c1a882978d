import type pg from 'pg';

/** Runs one statement; rows come as objects named by their columns, int8 as number. */
export interface Sql {
  query<Row extends object>(text: string, values?: readonly unknown[]): Promise<Row[]>;
}

/** Part of a SELECT: this transaction may wait for other work without a limit. A dead machine still loses its locks. */
export const mayBeSilent = `set_config('idle_in_transaction_session_timeout', '0', true)`;

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
