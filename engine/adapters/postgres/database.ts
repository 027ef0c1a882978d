import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import pg from 'pg';
import { from as copyFrom, to as copyTo } from 'pg-copy-streams';
import { systemClock } from '../../contract/concurrency/clock.ts';
import { within } from '../../contract/concurrency/time-limit.ts';
import { connectionOf } from './connection.ts';
import { isDatabaseAway } from './database-away.ts';
import { type ReadLimits, readWithin } from './limited-read.ts';
import { bounded, type Sql, sqlOf } from './sql.ts';

/** A pool of connections to one Postgres. Statements are not retried here: the caller knows what is safe. */
export interface Database extends Sql {
  /**
   * Runs `work` in one transaction: committed when it resolves, rolled back when it throws, with its locks free by the time
   * that the caller hears of it.
   */
  transaction<Result>(work: (sql: Sql) => Promise<Result>): Promise<Result>;
  /**
   * Runs `work` in one read-only transaction that ends at its deadline, or when the signal aborts: the running
   * statement is cancelled at the server, and the connection is free again.
   * @throws ReadEnded.
   */
  read<Result>(limits: ReadLimits, work: (sql: Sql) => Promise<Result>): Promise<Result>;
  /** Everything a `COPY … TO STDOUT` writes, in one piece; `maxBytes` guards against a range gone wrong. */
  copyOut(statement: string, maxBytes: number): Promise<Uint8Array<ArrayBuffer>>;
  /**
   * As `copyOut`, where the first column that `condition` answers is true on the same connection before; null
   * otherwise.
   */
  copyOutIf(condition: string, statement: string, maxBytes: number): Promise<Uint8Array<ArrayBuffer> | null>;
  /** One connection for a COPY FROM and the statements around it, in one transaction. */
  copyTransaction<Result>(work: (copy: CopySql) => Promise<Result>): Promise<Result>;
  /** Connections in use, those that are not, and callers that wait for one. */
  load(): DatabaseLoad;
  ping(): Promise<boolean>;
  close(): Promise<void>;
}

export interface DatabaseLoad {
  readonly busy: number;
  readonly idle: number;
  readonly waiting: number;
}

export interface CopySql extends Sql {
  /** Feeds a `COPY … FROM STDIN` with the chunks given. */
  copyIn(statement: string, chunks: Iterable<Uint8Array> | AsyncIterable<Uint8Array>): Promise<void>;
}

export interface DatabaseOptions {
  readonly url: string;
  readonly applicationName: string;
  readonly maxConnections: number;
  /** Most statements and transactions that wait for a connection; by default 50 for each. */
  readonly maxWaiting?: number;
  readonly connectTimeoutMs: number;
  /** The server cancels a statement that runs longer; one without any answer is abandoned a little later. */
  readonly statementTimeoutMs: number;
  /** Of a transaction between two statements, after which Postgres ends it and others get its locks; default 30 s. */
  readonly maxSilenceMs?: number;
}

// Int8 (20) and numeric counts fit a double here: identifiers and counters stay far below 2^53.
const types = new pg.TypeOverrides();
types.setTypeParser(20, (text) => Number(text));

const WAITING_PER_CONNECTION = 50;
/** Longer than publishing to the log takes, and shorter than others wait for a lock. */
export const MAX_SILENCE_MS = 30_000;
/**
 * Longer than the pauses of whatever looks by the clock: a connection costs Postgres 10 ms of CPU and more, with the
 * caches that its first statements fill.
 */
export const KEPT_IDLE_MS = 150_000;
/** On top of the statement's time: a server that has not answered by then has silently vanished. */
const ANSWER_MARGIN_MS = 5_000;
/** A connection that does not answer by then is closed all the same. */
const ROLLBACK_MS = 1_000;
/** How long closing the pool waits for connections in use. */
const CLOSE_MS = 2_000;

/** Too many statements wait for a connection: this one did not reach Postgres. */
class DatabaseBusy extends Error {
  /** Postgres' own for a connection that it cannot give: too_many_connections. */
  readonly code = '53300';
  constructor(waiting: number) {
    super(`${waiting} statements wait for a connection to Postgres`);
    this.name = 'DatabaseBusy';
  }
}

export function createDatabase(options: DatabaseOptions): Database {
  const connection = connectionOf(options.url);
  const openPool = (max: number): pg.Pool =>
    new pg.Pool({
      ...connection,
      application_name: options.applicationName,
      max,
      connectionTimeoutMillis: options.connectTimeoutMs,
      idleTimeoutMillis: KEPT_IDLE_MS,
      statement_timeout: options.statementTimeoutMs,
      idle_in_transaction_session_timeout: options.maxSilenceMs ?? MAX_SILENCE_MS,
      types,
    });
  const pool = openPool(options.maxConnections);
  // Opens a connection when the first statement is cancelled, and closes it when it was idle for long.
  const cancelling = openPool(1);
  cancelling.on('error', () => {});
  const answerTimeoutMs = options.statementTimeoutMs + ANSWER_MARGIN_MS;
  // An idle connection that breaks (Postgres restarted) is dropped by the pool; without a listener the event
  // would end the process. The next query gets a fresh connection or its error.
  pool.on('error', () => {});
  // A connection that was released as broken has no owner, and may still hear that its server shuts down.
  pool.on('connect', (client) => client.on('error', () => {}));

  const maxWaiting = options.maxWaiting ?? options.maxConnections * WAITING_PER_CONNECTION;
  const refuseWhenFull = (): void => {
    if (pool.waitingCount >= maxWaiting) throw new DatabaseBusy(maxWaiting);
  };

  const query = async <Row extends object>(text: string, values?: readonly unknown[]): Promise<Row[]> => {
    refuseWhenFull();
    return (await pool.query(bounded(text, values, answerTimeoutMs))).rows as Row[];
  };

  const withClient = async <Result>(work: (client: pg.PoolClient) => Promise<Result>): Promise<Result> => {
    refuseWhenFull();
    const client = await pool.connect();
    let broken: Error | undefined;
    const onError = (error: Error): void => {
      broken = error;
    };
    client.on('error', onError);
    try {
      return await work(client);
    } catch (error) {
      // After a failed statement outside our control the connection's state is unknown: never reuse it.
      broken ??= error as Error;
      throw error;
    } finally {
      client.off('error', onError);
      client.release(broken);
    }
  };

  const inTransaction = async <Result>(
    client: pg.PoolClient,
    work: (sql: Sql) => Promise<Result>,
  ): Promise<Result> => {
    const { query: ask } = sqlOf(client, answerTimeoutMs);
    let isOver = false;
    // Of several statements at once one may fail, and what follows on another must not run outside of the transaction.
    const sql: Sql = {
      query: async (text, values) => {
        if (isOver) throw new Error('the transaction is over');
        return ask(text, values);
      },
    };
    await client.query(bounded('BEGIN', [], answerTimeoutMs));
    try {
      const result = await work(sql);
      isOver = true;
      await client.query(bounded('COMMIT', [], answerTimeoutMs));
      return result;
    } catch (error) {
      isOver = true;
      // Without it, its locks are held until the server sees that the connection was closed.
      if (!isDatabaseAway(error)) await client.query(bounded('ROLLBACK', [], ROLLBACK_MS)).catch(() => {});
      throw error;
    }
  };

  return {
    query,
    read: (limits, work) =>
      withClient((client) => readWithin(limits, { client, cancelling, answerTimeoutMs }, work)),
    transaction: (work) => withClient((client) => inTransaction(client, work)),
    copyOut: (statement, maxBytes) =>
      withClient((client) => collect(client.query(copyTo(statement)), maxBytes, answerTimeoutMs)),
    copyOutIf: (condition, statement, maxBytes) =>
      withClient(async (client) => {
        const asked = { ...bounded(condition, [], answerTimeoutMs), rowMode: 'array' as const };
        const { rows } = await client.query<[unknown]>(asked);
        if (rows[0]?.[0] !== true) return null;
        return collect(client.query(copyTo(statement)), maxBytes, answerTimeoutMs);
      }),
    copyTransaction: (work) =>
      withClient((client) =>
        inTransaction(client, (sql) =>
          work({
            ...sql,
            copyIn: (statement, chunks) => pipeline(Readable.from(chunks), client.query(copyFrom(statement))),
          }),
        ),
      ),
    load: () => ({
      busy: pool.totalCount - pool.idleCount,
      idle: pool.idleCount,
      waiting: pool.waitingCount,
    }),
    ping: () =>
      query('SELECT 1').then(
        () => true,
        () => false,
      ),
    close: async () => {
      await within(systemClock, CLOSE_MS, Promise.all([pool.end(), cancelling.end()]));
    },
  };
}

async function collect(
  stream: Readable,
  maxBytes: number,
  answerTimeoutMs: number,
): Promise<Uint8Array<ArrayBuffer>> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  const late = setTimeout(() => stream.destroy(new Error('Query read timeout')), answerTimeoutMs);
  try {
    for await (const chunk of stream as AsyncIterable<Buffer>) {
      bytes += chunk.length;
      if (bytes > maxBytes) throw new RangeError(`COPY answered more than ${maxBytes} bytes`);
      chunks.push(chunk);
    }
  } finally {
    clearTimeout(late);
  }
  // Not from Buffer's shared pool: the bytes are transferred to a worker thread.
  const all = new Uint8Array(bytes);
  let offset = 0;
  for (const chunk of chunks) {
    all.set(chunk, offset);
    offset += chunk.length;
  }
  return all;
}
