import type pg from 'pg';
import { bounded, type Sql } from './sql.ts';

export interface ReadLimits {
  /** Of all its statements together. */
  readonly deadlineMs: number;
  readonly signal: AbortSignal;
}

/** A read was cancelled: it exceeded its deadline, or its caller disconnected. */
export class ReadEnded extends Error {
  readonly by: 'deadline' | 'signal';
  constructor(by: ReadEnded['by'], cause?: unknown) {
    super(`the read was ended by its ${by}`, { cause });
    this.name = 'ReadEnded';
    this.by = by;
  }
}

interface Connections {
  readonly client: pg.PoolClient;
  /** Another connection: one that runs a statement hears of nothing else. */
  readonly cancelling: pg.Pool;
  readonly answerTimeoutMs: number;
}

/** Runs `work` in one read-only transaction within the limits. @throws ReadEnded. */
export async function readWithin<Result>(
  { deadlineMs, signal }: ReadLimits,
  { client, cancelling, answerTimeoutMs }: Connections,
  work: (sql: Sql) => Promise<Result>,
): Promise<Result> {
  let by: ReadEnded['by'] | null = signal.aborted ? 'signal' : null;
  let cancelled: Promise<void> | null = null;
  const end = (reason: ReadEnded['by']): void => {
    by ??= reason;
    cancelled ??= cancel(client, cancelling);
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
    // Beside the timer: a process that dies, or hangs, leaves no statement behind.
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
}

async function cancel(
  { processID }: pg.PoolClient & { readonly processID?: number },
  cancelling: pg.Pool,
): Promise<void> {
  // Where this fails, the statement's own time limit ends it.
  await cancelling.query('SELECT pg_cancel_backend($1)', [processID]).catch(() => {});
}

/** Query_canceled: by its time limit, where no signal did it. */
const isCancelled = (error: unknown): boolean => (error as { code?: unknown } | null)?.code === '57014';
