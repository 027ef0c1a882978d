import { createWriteStream } from 'node:fs';
import { mkdtemp, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { setTimeout as wait } from 'node:timers/promises';
import type { ClickHouse } from '../../engine/adapters/clickhouse/clickhouse.ts';
import { percentile, tenths } from '../median.ts';
import { handWritten } from './questions.ts';

export type Send = (method: 'GET' | 'POST', path: string, request: object | null) => Promise<Answer>;
export interface Answer {
  readonly text: string;
  readonly firstByteMs: number;
}

export interface JobMeasured {
  readonly rows: number;
  readonly file_mb: number;
  /** From the request to the state `done`, the median. */
  readonly seconds: number;
  /** Of hand-written SQL into a file of the same format. */
  readonly direct_seconds: number;
  readonly ratio: number;
  /** The reporting process at its peak, before jobs and after them. */
  readonly peak_mb: number;
  readonly peak_before_mb: number;
}

interface Days {
  readonly first: string;
  readonly last: string;
  /** Of the reporting process. */
  readonly pid: number;
  readonly say: (text: string) => void;
}

const ROUNDS = 3;
const LOOK_MS = 50;
const SAY_MS = 15_000;
/** REPORT_JOB_SECONDS, and some of a queue. */
const MOST_MS = 660_000;
const MB = 1_048_576;
const dimensions = ['day', 'domain', 'subdomain', 'ad_unit', 'device', 'os', 'country'];
const metrics = ['impressions', 'viewable', 'earnings'];

interface JobProblem {
  readonly message: string;
  readonly errors?: Readonly<Record<string, readonly string[]>>;
}

interface JobAnswer {
  readonly data: {
    readonly id: number;
    readonly state: string;
    readonly problem: JobProblem | null;
    readonly parts: readonly { readonly bytes: number }[];
  };
}

/** A job of nearly a row a row of the statistics, and hand-written SQL into a file of Parquet, in turns. */
export async function measureJob(
  send: Send,
  clickhouse: ClickHouse,
  { first, last, pid, say }: Days,
): Promise<JobMeasured> {
  const days = `toDate(at) BETWEEN '${first}' AND '${last}'`;
  const order = `ORDER BY ${dimensions.map((name) => `k_${name}`).join(', ')}`;
  const sql = handWritten({ dimensions, metrics, where: days, tail: order });
  const request = { dimensions, metrics, currency: 'EUR', selectedDate: [first, last], format: 'parquet' };
  const before = await peakMb(pid);
  const [seconds, direct]: [number[], number[]] = [[], []];
  let bytes = 0;
  for (let round = 0; round < ROUNDS; round++) {
    say(`a job to Parquet, ${round + 1} of ${ROUNDS}`);
    const startedAt = performance.now();
    bytes = await runJob(send, request, say);
    seconds.push((performance.now() - startedAt) / 1_000);
    direct.push(await writeByHand(clickhouse, sql));
  }
  const counted = await clickhouse.client.query({
    query: `SELECT count() AS rows FROM (${sql})`,
    format: 'JSONEachRow',
  });
  const [row] = await counted.json<{ rows: string }>();
  const [p50, directP50] = [percentile(seconds, 0.5), percentile(direct, 0.5)];
  return {
    ...{ rows: Number(row?.rows ?? 0), file_mb: tenths(bytes / MB) },
    ...{
      seconds: tenths(p50),
      direct_seconds: tenths(directP50),
      ratio: Math.round((100 * p50) / directP50) / 100,
    },
    ...{ peak_mb: await peakMb(pid), peak_before_mb: before },
  };
}

/** @returns the bytes of its result. @throws Error where it failed, or waits for longer than a job may take. */
async function runJob(send: Send, request: object, say: (text: string) => void): Promise<number> {
  const startedAt = performance.now();
  let saidAt = startedAt;
  let { data } = JSON.parse((await send('POST', 'jobs', request)).text) as JobAnswer;
  while (data.state === 'queued' || data.state === 'running') {
    await wait(LOOK_MS);
    ({ data } = JSON.parse((await send('GET', `jobs/${data.id}`, null)).text) as JobAnswer);
    const now = performance.now();
    if (now - startedAt > MOST_MS)
      throw new Error(`the job is ${data.state} after ${MOST_MS / 60_000} minutes`);
    if (now - saidAt < SAY_MS) continue;
    saidAt = now;
    say(`it is ${data.state} since ${Math.round((now - startedAt) / 1_000)} s`);
  }
  if (data.state !== 'done') throw new Error(`the job failed: ${problemWords(data.problem)}`);
  return data.parts.reduce((sum, part) => sum + part.bytes, 0);
}

/** What was refused, and not that something was. */
export const problemWords = (problem: JobProblem | null): string =>
  problem === null
    ? 'it does not say why'
    : [
        problem.message,
        ...Object.entries(problem.errors ?? {}).map(([field, said]) => `${field}: ${said.join(' ')}`),
      ].join('. ');

/** @returns seconds until the file is whole. */
async function writeByHand({ client }: ClickHouse, sql: string): Promise<number> {
  const folder = await mkdtemp(join(tmpdir(), 'broadside-by-hand-'));
  const file = join(folder, 'rows.parquet');
  try {
    const startedAt = performance.now();
    const { stream } = await client.exec({ query: `${sql}\nFORMAT Parquet` });
    await pipeline(stream, createWriteStream(file));
    const seconds = (performance.now() - startedAt) / 1_000;
    if ((await stat(file)).size === 0) throw new Error('the hand-written SQL gave nothing');
    return seconds;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

const peakMb = async (pid: number): Promise<number> =>
  Math.round(Number(/VmHWM:\s+(\d+)/.exec(await readFile(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) / 1_024);
