import { createWriteStream } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import { extname } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { counted } from '../../../engine/contract/counted.ts';
import { CliError } from '../../../engine/kit/command-line/endings.ts';
import { print, printNote } from '../../../engine/kit/command-line/terminal.ts';
import { bodyOf, type OptionNames } from './answer.ts';
import { answered, type ReportingApi } from './reporting-api.ts';

/** A job as far as it is shown. */
interface Job {
  readonly id: number;
  readonly state: 'queued' | 'running' | 'done' | 'failed';
  readonly format: string;
  readonly rows: number;
  readonly seconds_left: number | null;
  readonly parts: readonly { readonly part: number; readonly kind: 'rows' | 'sources' }[];
  readonly problem: {
    readonly message: string;
    readonly errors?: Readonly<Record<string, readonly string[]>>;
  } | null;
}

const formats: ReadonlySet<string> = new Set(['json', 'csv', 'ndjson', 'parquet', 'xlsx']);

/** The format that the name of a file says. @throws CliError. */
export function formatOf(file: string): string {
  const format = extname(file).slice(1).toLowerCase();
  if (formats.has(format)) return format;
  throw new CliError(`--job ${file} must end in one of ${[...formats].map((each) => `.${each}`).join(', ')}`);
}

const LOOK_MS = 1_000;
/** Between two lines about the same job. */
const NOTE_MS = 10_000;
/** As a shell gives it for a command that Ctrl-C ended. */
const EXIT_INTERRUPTED = 130;

/**
 * Makes the job, or takes up one that was made before, waits for it and saves its parts. Ctrl-C leaves it to go on.
 * @param question null: the job is `jobId`.
 */
export async function saveJob(
  api: ReportingApi,
  file: string,
  {
    question,
    jobId,
    optionOf,
  }: { readonly question: object; readonly jobId?: number; readonly optionOf: OptionNames },
): Promise<void> {
  const format = formatOf(file);
  const made =
    jobId === undefined
      ? await jobOf(await api.send('POST', '/jobs', { body: { ...question, format } }), optionOf)
      : await jobOf(await api.send('GET', `/jobs/${jobId}`), optionOf);
  if (made.format !== format)
    throw new CliError(`job ${made.id} has the format ${made.format}: --job must end in .${made.format}`);
  const stop = new AbortController();
  const onSignal = (): void => stop.abort(new Error('interrupted'));
  process.once('SIGINT', onSignal);
  try {
    const job = await ended(api, made, stop.signal);
    await savePartsOf(api, job, file, stop.signal);
  } catch (error) {
    if (!stop.signal.aborted) throw error;
    process.exitCode = EXIT_INTERRUPTED;
    printNote([
      `Job ${made.id} goes on, and its result is kept for seven days.`,
      `  broadside report --job ${file} --job-id ${made.id}   saves it`,
      `  broadside report --cancel-job ${made.id}   ends it`,
    ]);
  } finally {
    process.off('SIGINT', onSignal);
  }
}

export async function cancelJob(api: ReportingApi, id: number): Promise<void> {
  const response = await api.send('DELETE', `/jobs/${id}`);
  if (response.status === 404) throw noSuchJob(String(id));
  if (!response.ok) await bodyOf(answered(response));
  print(`Job ${id} is deleted.`);
}

const noSuchJob = (what: string): CliError =>
  new CliError(`there is no job ${what} of this report token: jobs are kept for seven days after their end`);

async function jobOf(response: Response, optionOf: OptionNames = {}): Promise<Job> {
  const { data, error } = (await answered(response)) as {
    readonly data?: { readonly data: Job };
    readonly error?: { readonly message?: string };
  };
  if (data !== undefined) return data.data;
  if (response.status === 404)
    throw error?.message === undefined || error.message === 'Not found.'
      ? noSuchJob(new URL(response.url).pathname.split('/').at(-1) ?? '')
      : new CliError(error.message);
  return bodyOf(Promise.resolve({ error, response }), optionOf);
}

/** @throws CliError where it failed. */
async function ended(api: ReportingApi, made: Job, signal: AbortSignal): Promise<Job> {
  let job = made;
  let noted = { state: '', at: Number.NEGATIVE_INFINITY };
  for (;;) {
    if (job.state === 'done') return job;
    if (job.state === 'failed') throw failed(job);
    const now = performance.now();
    if (noted.state !== job.state || now - noted.at >= NOTE_MS) {
      noted = { state: job.state, at: now };
      printNote(progressOf(job));
    }
    await rest(LOOK_MS, signal);
    job = await jobOf(await api.send('GET', `/jobs/${job.id}`, { signal }));
  }
}

function progressOf({ id, state, rows, seconds_left: left }: Job): string {
  if (state === 'queued') return `Job ${id} waits for its turn.`;
  const sofar = rows > 0 ? `, ${counted(rows, 'row')} so far` : '';
  return `Job ${id} runs${sofar}${left === null ? '' : `, about ${counted(left, 'second')} left`}.`;
}

function failed({ id, problem }: Job): CliError {
  const lines = Object.values(problem?.errors ?? {}).flat();
  const more = lines.map((line) => `  ${line}`);
  return new CliError(`job ${id} failed: ${problem?.message ?? 'for an unknown reason'}`, { more });
}

const rest = (ms: number, signal: AbortSignal): Promise<void> =>
  new Promise((resolve, reject) => {
    if (signal.aborted) return reject(signal.reason as Error);
    const timer = setTimeout(resolve, ms);
    signal.addEventListener('abort', () => {
      clearTimeout(timer);
      reject(signal.reason as Error);
    });
  });

/** A file each; one that breaks off leaves none. */
async function savePartsOf(api: ReportingApi, job: Job, file: string, signal: AbortSignal): Promise<void> {
  const files = job.parts.filter(({ kind }) => kind !== 'sources').length;
  for (const { part, kind } of job.parts) {
    const path = kind === 'sources' ? `${file}.sources.json` : files === 1 ? file : numbered(file, part + 1);
    const response = await api.send('GET', `/jobs/${job.id}/parts/${part}`, { accept: '*/*', signal });
    if (!response.ok || response.body === null) {
      await bodyOf(answered(response));
      throw new CliError(`part ${part + 1} of job ${job.id} is empty: try again`);
    }
    const unfinished = `${path}.unfinished`;
    try {
      await pipeline(Readable.fromWeb(response.body as never), createWriteStream(unfinished), { signal });
      await rename(unfinished, path);
    } finally {
      await rm(unfinished, { force: true });
    }
    print(`Saved ${path}.`);
  }
  if (job.rows > 0) printNote(`${counted(job.rows, 'row')} in ${counted(files, 'file')}.`);
}

const numbered = (file: string, number: number): string =>
  `${file.slice(0, -extname(file).length)}-${number}${extname(file)}`;
