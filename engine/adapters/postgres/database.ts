import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import pg from 'pg';
import { from as copyFrom, to as copyTo } from 'pg-copy-streams';
import { systemClock, within } from '../../contract/clock.ts';

/** Runs one statement; rows come as objects named by their columns, int8 as number. */
export interface Sql {
  query<Row extends object>(text: string, values?: readonly unknown[]): Promise<Row[]>;
}

/** A pool of connections to one Postgres. Statements are retried by nobody: the caller knows what is safe. */
export interface Database extends Sql {
  /** Runs `work` in one transaction: committed when it resolves, rolled back when it throws. */
  transaction<Result>(work: (sql: Sql) => Promise<Result>): Promise<Result>;
  /**
   * Runs `work` in one read-only transaction that ends at its deadline, or when the signal aborts: the statement in
   * hand is cancelled at the server, and the connection is free again.
   * @throws ReadEnded
   */
  read<Result>(limits: ReadLimits, work: (sql: Sql) => Promise<Result>): Promise<Result>;
  /** Everything a `COPY … TO STDOUT` writes, in one piece; `maxBytes` guards against a range gone wrong. */
  copyOut(statement: string, maxBytes: number): Promise<Uint8Array<ArrayBuffer>>;
  /** One connection for a COPY FROM and the statements around it, in one transaction. */
  copyTransaction<Result>(work: (copy: CopySql) => Promise<Result>): Promise<Result>;
  ping(): Promise<boolean>;
  close(): Promise<void>;
}

export interface ReadLimits {
  /** Of all its statements together. */
  readonly deadlineMs: number;
  readonly signal: AbortSignal;
}

/** A read was cancelled: it took too long, or nobody waits for it any more. */
export class ReadEnded extends Error {
  readonly by: 'deadline' | 'signal';
  constructor(by: ReadEnded['by'], cause?: unknown) {
    super(`the read was ended by its ${by}`, { cause });
    this.name = 'ReadEnded';
    this.by = by;
  }
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
  /** A statement that runs longer is cancelled by the server; one without any answer is given up a little later. */
  readonly statementTimeoutMs: number;
}

// int8 (20) and numeric counts fit a double here: identifiers and counters stay far below 2^53.
const types = new pg.TypeOverrides();
types.setTypeParser(20, (text) => Number(text));

const WAITING_PER_CONNECTION = 50;
/** On top of the statement's time: a server that has not answered by then is gone without a word. */
const ANSWER_MARGIN_MS = 5_000;
/** Connections in use when the pool closes are waited for so long. */
const CLOSE_MS = 2_000;

/** So many wait for a connection that another one would only wait longer; it did not reach Postgres. */
class DatabaseBusy extends Error {
  /** Postgres' own for a connection that it cannot give: too_many_connections. */
  readonly code = '53300';
  constructor(waiting: number) {
    super(`${waiting} statements wait for a connection to Postgres`);
    this.name = 'DatabaseBusy';
  }
}

export function createDatabase(options: DatabaseOptions): Database {
  const openPool = (max: number): pg.Pool =>
    new pg.Pool({
      connectionString: options.url,
      application_name: options.applicationName,
      max,
      connectionTimeoutMillis: options.connectTimeoutMs,
      statement_timeout: options.statementTimeoutMs,
      keepAlive: true,
      types,
    });
  const pool = openPool(options.maxConnections);
  // Opens a connection when the first statement is cancelled, and closes it after some idle seconds.
  const cancelling = openPool(1);
  cancelling.on('error', () => {});
  const answerTimeoutMs = options.statementTimeoutMs + ANSWER_MARGIN_MS;
  // An idle connection that breaks (Postgres restarted) is dropped by the pool; without a listener the
  // event would end the process. Whoever asks next gets a fresh connection or its error.
  pool.on('error', () => {});
  // One that was given back broken is in nobody's hands, and may still hear that its server shuts down.
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
    work: () => Promise<Result>,
  ): Promise<Result> => {
    await client.query(bounded('BEGIN', [], answerTimeoutMs));
    const result = await work();
    await client.query(bounded('COMMIT', [], answerTimeoutMs));
    return result;
  };

  const cancel = async ({ processID }: pg.PoolClient & { readonly processID?: number }): Promise<void> => {
    // Where this fails, the statement's own time limit ends it.
    await cancelling.query('SELECT pg_cancel_backend($1)', [processID]).catch(() => {});
  };

  const read = async <Result>(
    client: pg.PoolClient,
    { deadlineMs, signal }: ReadLimits,
    work: (sql: Sql) => Promise<Result>,
  ): Promise<Result> => {
    let by: ReadEnded['by'] | null = signal.aborted ? 'signal' : null;
    let cancelled: Promise<void> | null = null;
    const end = (reason: ReadEnded['by']): void => {
      by ??= reason;
      cancelled ??= cancel(client);
    };
    const onAbort = (): void => end('signal');
    const timer = setTimeout(() => end('deadline'), deadlineMs);
    signal.addEventListener('abort', onAbort, { once: true });
    let last: Promise<unknown> = Promise.resolve();
    const runOne = async <Row extends object>(text: string, values?: readonly unknown[]): Promise<Row[]> => {
      if (by !== null) throw new ReadEnded(by);
      return (await client.query(bounded(text, values, answerTimeoutMs))).rows as Row[];
    };
    // One after the other: a connection has one statement at a time, and works may ask several at once.
    const run = <Row extends object>(text: string, values?: readonly unknown[]): Promise<Row[]> => {
      const answer = last.then(() => runOne<Row>(text, values));
      last = answer.catch(() => {});
      return answer;
    };
    try {
      await run('BEGIN READ ONLY');
      // Beside the timer: a process that dies, or stands still, leaves no statement behind.
      await run(`SELECT set_config('statement_timeout', $1, true)`, [`${Math.ceil(deadlineMs)}ms`]);
      const result = await work({ query: run });
      await run('COMMIT');
      return result;
    } catch (error) {
      if (isCancelled(error)) by ??= 'deadline';
      throw by === null || error instanceof ReadEnded ? error : new ReadEnded(by, error);
    } finally {
      clearTimeout(timer);
      signal.removeEventListener('abort', onAbort);
      // Until the server has it, it might meet the next statement of this connection.
      await cancelled;
    }
  };

  return {
    query,
    read: (limits, work) => withClient((client) => read(client, limits, work)),
    transaction: (work) =>
      withClient((client) => inTransaction(client, () => work(sqlOf(client, answerTimeoutMs)))),
    copyOut: (statement, maxBytes) =>
      withClient((client) => collect(client.query(copyTo(statement)), maxBytes, answerTimeoutMs)),
    copyTransaction: (work) =>
      withClient((client) =>
        inTransaction(client, () =>
          work({
            ...sqlOf(client, answerTimeoutMs),
            copyIn: (statement, chunks) => pipeline(Readable.from(chunks), client.query(copyFrom(statement))),
          }),
        ),
      ),
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

/** query_canceled: by its time limit, where no signal did it. */
const isCancelled = (error: unknown): boolean => (error as { code?: unknown } | null)?.code === '57014';

/**
 * Of a host that lost its power or its network nobody hears any more, and TCP takes a quarter of an hour to see it.
 * Not as a setting of the pool: COPY goes without the callback by which the driver would end the time.
 */
function bounded(text: string, values: readonly unknown[] | undefined, answerTimeoutMs: number) {
  return { text, values: values as unknown[], query_timeout: answerTimeoutMs };
}

function sqlOf(client: pg.PoolClient, answerTimeoutMs: number): Sql {
  return {
    query: async <Row extends object>(text: string, values?: readonly unknown[]) =>
      (await client.query(bounded(text, values, answerTimeoutMs))).rows as Row[],
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
