import { mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Pool } from 'undici';
import type { ClickHouse } from '../../engine/adapters/clickhouse/clickhouse.ts';
import { openClickHouse } from '../../engine/adapters/clickhouse/client.ts';
import { migrateClickHouse } from '../../engine/adapters/clickhouse/migrate.ts';
import { freePort } from '../../engine/adapters/postgres/free-port.ts';
import { startBroadside } from '../../test/support/broadside-process.ts';
import { percentile, tenths } from '../median.ts';
import { runBroadside } from '../stand/cli.ts';
import { startDatabases } from '../stand/databases.ts';
import { type Answer, type JobMeasured, measureJob, type Send } from './job.ts';
import { insertAdStats, writeAdStatsFile } from './make-ad-stats.ts';
import { type Question, questions } from './questions.ts';

export interface ReportingOptions {
  readonly rows: number;
  readonly domains: number;
  /** Only requests whose name contains it. */
  readonly only: string;
  /** Counted requests of each question, at least: light ones are asked more often. */
  readonly rounds: number;
  /** Rows of the Parquet file that is imported; 0: none is. */
  readonly importRows: number;
  /** Days that a job of all dimensions of a row reads; 0: none is made. */
  readonly jobDays: number;
  readonly say: (text: string) => void;
}

export interface ReportingRow {
  readonly request: string;
  readonly rows: number;
  readonly p50_ms: number;
  readonly p95_ms: number;
  /** Until the first byte of the answer's body. */
  readonly first_byte_p50_ms: number;
  readonly direct_p50_ms: number;
  /** Of the medians. */
  readonly ratio: number;
}

/** The median of some files, the whole command. */
export interface Imported {
  readonly rows: number;
  readonly seconds: number;
  readonly rows_per_second: number;
  readonly file_mb: number;
}

export interface ReportingResult {
  /** Rows of ad statistics that were asked about. */
  readonly rows: number;
  readonly questions: readonly ReportingRow[];
  readonly imported: Imported | null;
  readonly job: JobMeasured | null;
}

const DAYS = 180;
const DAY_MS = 86_400_000;
const QUERY_TIMEOUT_MS = 600_000;
/**
 * A few rounds are too few for a request of some milliseconds: it is repeated up to ten times as often, for
 * this long.
 */
const LIGHT_MS = 4_000;
const LIGHT_TIMES = 10;
/** A file each: ClickHouse's merges beside an import differ from one to the next. */
const IMPORT_SEEDS = [2, 3, 4];

/**
 * The reporting role in a process of its own, over HTTP to ClickHouse; and the same ClickHouse queried
 * directly, by the same client, in turns.
 * @throws Error where an answer differs from that of the hand-written SQL: its time would mean nothing.
 */
export async function measureReporting(options: ReportingOptions): Promise<ReportingResult> {
  await using opened = new AsyncDisposableStack();
  const lastDayMs = Math.floor(Date.now() / DAY_MS) * DAY_MS - DAY_MS;
  const dayBack = (days: number): string => new Date(lastDayMs - days * DAY_MS).toISOString().slice(0, 10);
  const asked = questions(dayBack).filter(({ name }) => name.includes(options.only));
  const [first] = asked;
  if (first === undefined) throw new Error(`no request has "${options.only}" in its name`);
  options.say('starting Postgres and ClickHouse');
  const { environment } = await startDatabases(opened);
  const clickhouse = await openServer(environment.CLICKHOUSE_URL);
  opened.defer(() => clickhouse.close());
  options.say(`making ${options.rows.toLocaleString('en')} rows of ad statistics`);
  const statistics = { firstDay: dayBack(DAYS - 1), days: DAYS, domains: options.domains };
  await insertAdStats(clickhouse, { ...statistics, rows: options.rows });
  await addRates(clickhouse);
  const { send, pid } = await startReporting(environment, opened);
  const ask: Ask = (request) => send('POST', 'generate', request);
  const rows: ReportingRow[] = [];
  // A process that runs for days is compiled; its first requests take longer.
  options.say('warming up');
  await inTurns(first, ask, clickhouse, options.rounds);
  for (const question of asked) {
    options.say(question.name);
    rows.push(await measureQuestion(question, ask, clickhouse, options.rounds));
  }
  const job =
    options.jobDays === 0
      ? null
      : await measureJob(send, clickhouse, {
          first: dayBack(options.jobDays - 1),
          last: dayBack(0),
          pid,
          say: options.say,
        });
  if (options.importRows === 0) return { rows: options.rows, questions: rows, imported: null, job };
  options.say(`importing ${options.importRows.toLocaleString('en')} rows of Parquet`);
  const imported = await measureImport(clickhouse, environment, { ...statistics, rows: options.importRows });
  return { rows: options.rows, questions: rows, imported, job };
}

/** The complete raw answer; parsing is not part of its time. */
type Ask = (request: object) => Promise<Answer>;

async function openServer(url: string): Promise<ClickHouse> {
  const server = { username: 'default', password: '', requestTimeoutMs: QUERY_TIMEOUT_MS, maxConnections: 2 };
  const clickhouse = await openClickHouse({ kind: 'http', url, ...server, database: 'broadside' });
  await clickhouse.createDatabase();
  await migrateClickHouse(clickhouse);
  return clickhouse;
}

async function addRates({ client }: ClickHouse): Promise<void> {
  await client.command({
    query: `INSERT INTO fx_rates (day, currency, per_eur, source, version)
      SELECT today() - number, 'USD', toDecimal128(1.05 + (number % 13) / 100, 18), 'bench', 1 FROM numbers(${DAYS + 30})
      SETTINGS async_insert = 0`,
  });
}

async function startReporting(
  environment: Readonly<Record<string, string>>,
  opened: AsyncDisposableStack,
): Promise<{ readonly send: Send; readonly pid: number }> {
  const ports = { reporting: await freePort(), internal: await freePort() };
  const jobsFolder = await mkdtemp(join(tmpdir(), 'broadside-jobs-'));
  opened.defer(() => rm(jobsFolder, { recursive: true, force: true }));
  const url = `http://127.0.0.1:${ports.reporting}`;
  const env = {
    ...environment,
    REPORTING_PORT: String(ports.reporting),
    REPORTING_INTERNAL_PORT: String(ports.internal),
    REPORT_RATE_PER_MINUTE: '10000',
    REPORT_JOB_RATE_PER_MINUTE: '10000',
    REPORT_JOBS_FOLDER: jobsFolder,
    LOG_LEVEL: 'warn',
  };
  const reporting = await startBroadside({
    args: ['reporting'],
    env,
    readyUrl: `${url}/internal/health/ready`,
  });
  opened.defer(() => reporting.stop().then(() => {}));
  const owner = ['--email', 'bench@news.example', '--organization', 'Bench', '--unrestricted', '--json'];
  const issued = await runBroadside(['report-token', 'issue', '--name', 'bench', ...owner], env);
  const { token } = JSON.parse(issued) as { token: string };
  const pool = new Pool(url, { connections: 1, headersTimeout: QUERY_TIMEOUT_MS });
  opened.defer(() => pool.close());
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  const send: Send = async (method, path, request) => {
    const startedAt = performance.now();
    const { statusCode, body } = await pool.request({
      ...{ method, path: `/api/v1/reports/${path}`, headers },
      ...(request === null ? {} : { body: JSON.stringify(request) }),
    });
    let firstByteMs: number | null = null;
    const pieces: Buffer[] = [];
    for await (const piece of body) {
      firstByteMs ??= performance.now() - startedAt;
      pieces.push(piece as Buffer);
    }
    const text = Buffer.concat(pieces).toString();
    if (statusCode >= 300) throw new Error(`reporting answered ${statusCode}: ${text.slice(0, 500)}`);
    return { text, firstByteMs: firstByteMs ?? 0 };
  };
  return { send, pid: reporting.pid };
}

interface Times {
  readonly report: number[];
  readonly direct: number[];
  readonly firstByte: number[];
  /** The last ones. */
  readonly answers: readonly [report: string, direct: string];
}

/** The report and its hand-written SQL; the first round warms both up. */
async function inTurns(
  { request, sql }: Question,
  ask: Ask,
  { client }: ClickHouse,
  rounds: number,
): Promise<Times> {
  const askDirectly = async (): Promise<string> => {
    const settings = {
      output_format_json_quote_64bit_integers: 0,
      output_format_json_quote_decimals: 0,
    } as const;
    const answer = await client.query({ query: sql, format: 'JSONEachRow', clickhouse_settings: settings });
    return answer.text();
  };
  const startedAt = performance.now();
  const reports: number[] = [];
  const directs: number[] = [];
  const firstBytes: number[] = [];
  let answers: [report: string, direct: string] = ['', ''];
  const goesOn = (round: number): boolean =>
    round <= rounds || (round <= rounds * LIGHT_TIMES && performance.now() - startedAt < LIGHT_MS);
  for (let round = 0; goesOn(round); round++) {
    const [report, reportMs] = await timed(() => ask(request));
    const [direct, directMs] = await timed(askDirectly);
    answers = [report.text, direct];
    if (round === 0) continue;
    firstBytes.push(report.firstByteMs);
    reports.push(reportMs);
    directs.push(directMs);
  }
  return { report: reports, direct: directs, firstByte: firstBytes, answers };
}

async function measureQuestion(
  question: Question,
  ask: Ask,
  clickhouse: ClickHouse,
  rounds: number,
): Promise<ReportingRow> {
  const { report, direct, firstByte, answers } = await inTurns(question, ask, clickhouse, rounds);
  const { data } = JSON.parse(answers[0]) as { data: readonly object[] };
  compare(question.name, data, linesOf(answers[1]));
  const [p50, directP50] = [percentile(report, 0.5), percentile(direct, 0.5)];
  return {
    request: question.name,
    rows: data.length,
    p50_ms: tenths(p50),
    p95_ms: tenths(percentile(report, 0.95)),
    first_byte_p50_ms: tenths(percentile(firstByte, 0.5)),
    direct_p50_ms: tenths(directP50),
    ratio: Math.round((100 * p50) / directP50) / 100,
  };
}

const linesOf = (text: string): object[] =>
  text.split('\n').flatMap((line) => (line === '' ? [] : [JSON.parse(line) as object]));

async function timed<Value>(work: () => Promise<Value>): Promise<[Value, number]> {
  const startedAt = performance.now();
  const value = await work();
  return [value, performance.now() - startedAt];
}

/** ClickHouse's own `round` takes halves of decimals to the even digit, a report away from zero. */
const LAST_DIGIT = 0.000_001_5;

/** Rows in any order: texts and counts the same, amounts to their last digit. */
function compare(name: string, report: readonly object[], direct: readonly object[]): void {
  const isAmount = (key: string): boolean => key === 'earnings' || key === 'ecpm';
  const keyOf = (row: object): string =>
    JSON.stringify(Object.entries(row).filter(([key]) => !isAmount(key)));
  const amounts = (row: object): number[] =>
    Object.entries(row).flatMap(([key, value]) => (isAmount(key) ? [Number(value)] : []));
  const byKey = new Map(direct.map((row) => [keyOf(row), row]));
  const differs = report.find((row) => {
    const other = byKey.get(keyOf(row));
    const others = other === undefined ? [] : amounts(other);
    return amounts(row).some(
      (amount, index) => !(Math.abs(amount - (others[index] ?? Number.NaN)) <= LAST_DIGIT),
    );
  });
  const isMissing = report.find((row) => !byKey.has(keyOf(row)));
  const wrong = differs ?? isMissing;
  if (wrong === undefined && report.length === direct.length) return;
  const counts = `${report.length} rows and ${direct.length} by hand`;
  throw new Error(`${name}: the hand-written SQL does not say ${JSON.stringify(wrong)} (${counts})`);
}

async function measureImport(
  clickhouse: ClickHouse,
  environment: Readonly<Record<string, string>>,
  statistics: Parameters<typeof writeAdStatsFile>[1],
): Promise<Imported> {
  const folder = await mkdtemp(join(tmpdir(), 'broadside-parquet-'));
  const file = join(folder, 'stats.parquet');
  const seconds: number[] = [];
  try {
    for (const seed of IMPORT_SEEDS) {
      await writeAdStatsFile(clickhouse, { ...statistics, seed }, file, 'Parquet');
      const command = ['ad-stats', 'import', '--source', 'parquet', file];
      const [, ms] = await timed(() => runBroadside(command, environment));
      seconds.push(ms / 1_000);
    }
    const bytes = (await stat(file)).size;
    const median = percentile(seconds, 0.5);
    return {
      rows: statistics.rows,
      seconds: tenths(median),
      rows_per_second: Math.round(statistics.rows / median),
      file_mb: tenths(bytes / 1_048_576),
    };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
