import type pg from 'pg';

/** Runs one statement; rows come as objects named by their columns, int8 as number. */
export interface Sql {
  query<Row extends object>(text: string, values?: readonly unknown[]): Promise<Row[]>;
}

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
