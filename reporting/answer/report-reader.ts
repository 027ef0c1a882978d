import { randomUUID } from 'node:crypto';
import { open as openFile, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import type { ClickHouse } from '../../engine/adapters/clickhouse/clickhouse.ts';
import { clickHouseErrorCode } from '../../engine/adapters/clickhouse/errors.ts';
import { literal } from '../../engine/adapters/clickhouse/literals.ts';

/** A SELECT without FORMAT and SETTINGS; every value is a parameter. */
export interface ReportStatement {
  readonly select: string;
  readonly params: Readonly<Record<string, unknown>>;
}

export const reportFormats = ['JSONEachRow', 'JSONCompactEachRow', 'CSVWithNames', 'CSV', 'Parquet'] as const;
export type ReportFormat = (typeof reportFormats)[number];

/** The bounds of a report. */
export interface ReportBounds {
  /** All its statements together, and the reading of its rows. */
  readonly seconds: number;
  /** Of each statement. */
  readonly memoryBytes: number;
  readonly rows: number;
  /** Of the uncompressed answer; left out: none beside its rows. */
  readonly bytes?: number;
  /** They are those of jobs: a larger report cannot be one. */
  readonly isJob?: true;
}

/**
 * Why a report was not made:
 *  `rows`, `time`, `memory`: it is larger than its bounds allow, and would be again;
 *  `cancelled`: the client disconnected;
 *  `away`: ClickHouse does not answer, or has too much to do.
 */
export type ReportFailure = 'rows' | 'time' | 'memory' | 'cancelled' | 'away';

export class ReportFailed extends Error {
  readonly failure: ReportFailure;
  constructor(failure: ReportFailure, cause: unknown) {
    super(`the report was not made: ${failure}`, { cause });
    this.name = 'ReportFailed';
    this.failure = failure;
  }
}

export interface ReportReader {
  /** The time of a report begins to run. */
  begin(signal: AbortSignal): ReportRun;
}

export interface ReportRun {
  /**
   * The answer's bytes in ClickHouse's own format. Resolves when the answer is complete at ClickHouse, so that
   * a query's error is raised here, and not in the middle of the bytes. A server spills the answer to its disk;
   * the embedded engine holds it in memory, which `bounds.rows` bounds. Destroying the bytes, or the signal,
   * releases everything at once.
   * @throws ReportFailed; any other error is a bug in the statement.
   */
  open(statement: ReportStatement, format: ReportFormat): Promise<Readable>;
  /** The one row of a small answer (a count, totals) as a line of JSON, its decimals digit by digit; null: none. */
  line(statement: ReportStatement): Promise<string | null>;
  /** Of what the running statement has to read, how much it has read; null: unknown, as in the embedded engine. */
  readShare(): Promise<number | null>;
}

/**
 * @param folder for large answers of the embedded engine: it writes them there instead of holding them in memory. The
 *   file has no name any more when its bytes are read.
 */
export function createReportReader(
  { client, isEmbedded }: ClickHouse,
  bounds: ReportBounds,
  folder: string | null = null,
): ReportReader {
  /** By its comment: the embedded engine gives statements ids of its own, and ignores the signal. */
  const cancel = (tag: string): void => {
    // As text: bound parameters make the embedded engine wait for the very query that is to end. A tag is a UUID.
    const query = `KILL QUERY WHERE query_kind = 'Select' AND position(query, '${tag}') > 0 ASYNC`;
    client.command({ query }).catch(() => {
      // It ends by itself at its time limit.
    });
  };

  return {
    begin: (signal) => {
      const endsAtMs = performance.now() + bounds.seconds * 1_000;
      const leftMs = (): number => endsAtMs - performance.now();
      let running: string | null = null;

      async function ask(
        { select, params }: ReportStatement,
        format: ReportFormat,
        into: string | null,
      ): Promise<Readable> {
        if (signal.aborted) throw new ReportFailed('cancelled', signal.reason);
        if (leftMs() <= 0) throw new ReportFailed('time', new Error('the report’s time is over'));
        const tag = `report-${randomUUID()}`;
        running = tag;
        const onAbort = (): void => cancel(tag);
        signal.addEventListener('abort', onAbort, { once: true });
        const settings = settingsOf(format, { ...bounds, seconds: leftMs() / 1_000 }, tag);
        try {
          const answer = await client.exec({
            query: `${select}${into === null ? '' : `\nINTO OUTFILE ${literal(into)} TRUNCATE`}\nFORMAT ${format}\nSETTINGS ${settings}`,
            query_params: { ...params },
            abort_signal: signal,
            clickhouse_settings: { wait_end_of_query: 1 },
          });
          if (into === null) return endedAt(answer.stream, leftMs());
          answer.stream.resume();
          return endedAt(await openOnce(into), leftMs());
        } catch (error) {
          throw failureOf(error, signal);
        } finally {
          running = null;
          signal.removeEventListener('abort', onAbort);
        }
      }

      return {
        open: (statement, format) => {
          const into = isEmbedded === true && folder !== null ? join(folder, `answer-${randomUUID()}`) : null;
          return ask(statement, format, into);
        },
        // The embedded engine answers this only when the statement is over, and keeps other reads waiting until then.
        readShare: () =>
          running === null || isEmbedded === true ? Promise.resolve(null) : readShareOf(client, running),
        line: async (statement) => {
          const chunks: Buffer[] = [];
          for await (const chunk of await ask(statement, 'JSONEachRow', null)) chunks.push(chunk as Buffer);
          const [line = ''] = Buffer.concat(chunks).toString().split('\n', 1);
          return line === '' ? null : line;
        },
      };
    },
  };
}

/** Gone from the disk when it is read or abandoned, and when this process dies. */
async function openOnce(path: string): Promise<Readable> {
  const file = await openFile(path);
  await unlink(path);
  return file.createReadStream();
}

/** On replicas another one may be asked, which knows nothing of it. */
async function readShareOf(client: ClickHouse['client'], tag: string): Promise<number | null> {
  const answer = await client.query({
    query: `SELECT least(1, read_rows / total_rows_approx) AS share FROM system.processes
      WHERE position(query, {tag:String}) > 0 AND query_kind = 'Select' AND total_rows_approx > 0 AND position(query, 'system.processes') = 0`,
    query_params: { tag },
    format: 'JSONEachRow',
  });
  const [row] = await answer.json<{ share: number }>();
  return row?.share ?? null;
}

/** Rows that are not read in time keep a query's permit, and memory in the embedded engine. */
function endedAt(rows: Readable, leftMs: number): Readable {
  const late = setTimeout(
    () => rows.destroy(new ReportFailed('time', new Error('its rows were not read in time'))),
    leftMs,
  );
  rows.once('close', () => clearTimeout(late));
  return rows;
}

/** A limit of 0 would be none. */
const LEAST_SECONDS = 0.001;

/**
 * In the statement itself: as settings of the connection, the embedded engine would keep them for all later
 * statements.
 */
function settingsOf(format: ReportFormat, bounds: ReportBounds, tag: string): string {
  const settings = {
    max_execution_time: Math.max(bounds.seconds, LEAST_SECONDS).toFixed(3),
    timeout_overflow_mode: `'throw'`,
    max_memory_usage: bounds.memoryBytes,
    max_result_rows: bounds.rows,
    ...(bounds.bytes === undefined ? {} : { max_result_bytes: bounds.bytes }),
    ...(bounds.isJob === true ? onDisk(bounds.memoryBytes) : {}),
    result_overflow_mode: `'throw'`,
    log_comment: `'${tag}'`,
    ...formatSettings[format],
  };
  return Object.entries(settings)
    .map(([name, value]) => `${name} = ${value}`)
    .join(', ');
}

/**
 * What a job groups and sorts goes to ClickHouse's disk long before its memory is full: of five million rows by seven
 * dimensions, both take more than a report may have. Each of its steps has a share, as several hold some at once.
 */
function onDisk(memoryBytes: number): Readonly<Record<string, number>> {
  const share = Math.floor(memoryBytes / 6);
  return { max_bytes_before_external_group_by: share, max_bytes_before_external_sort: share };
}

/** Unquoted, a decimal is written digit by digit as a number, never through a double. */
const quoted = (quote: 0 | 1) => ({
  output_format_json_quote_64bit_integers: quote,
  output_format_json_quote_decimals: quote,
});
// An empty cell: readers of CSV take ClickHouse's own \N for a text, and all of its column with it.
const csv = { output_format_csv_crlf_end_of_line: 1, format_csv_null_representation: `''` };
const formatSettings: Readonly<Record<ReportFormat, Readonly<Record<string, number | string>>>> = {
  JSONEachRow: quoted(0),
  // For rows that are parsed here: a text keeps the digits that a double would lose.
  JSONCompactEachRow: quoted(1),
  CSVWithNames: csv,
  CSV: csv,
  Parquet: {},
};

/** ClickHouse's codes for exceeded bounds, a killed query, and an overloaded server. */
const failures: Readonly<Record<number, ReportFailure>> = {
  158: 'rows',
  396: 'rows',
  159: 'time',
  160: 'time',
  241: 'memory',
  394: 'cancelled',
  202: 'away',
  209: 'away',
  210: 'away',
  236: 'away',
};

/** The meaning of a report's read error: a ReportFailed, or the error itself where it is a bug. */
export function failureOf(error: unknown, signal: AbortSignal): unknown {
  if (error instanceof ReportFailed) return error;
  if (signal.aborted) return new ReportFailed('cancelled', error);
  if (error instanceof TypeError || error instanceof RangeError) return error;
  const code = clickHouseErrorCode(error);
  // Without a code there was no answer: no connection, a timeout, a closed client.
  if (code === null) return new ReportFailed('away', error);
  const failure = failures[code];
  return failure === undefined ? error : new ReportFailed(failure, error);
}
