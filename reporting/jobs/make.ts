import { createWriteStream } from 'node:fs';
import { mkdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Database } from '../../engine/adapters/postgres/database.ts';
import type { JobProblem } from '../../engine/adapters/postgres/report-jobs/jobs.ts';
import { type JobSpace, notePart, type PartKind } from '../../engine/adapters/postgres/report-jobs/parts.ts';
import type { ClaimedJob, JobResult } from '../../engine/adapters/postgres/report-jobs/runs.ts';
import { answerFormats, type FormatName, needsSideFile, sideText } from '../answer/formats.ts';
import { ReportFailed } from '../answer/report-reader.ts';
import type { Generated, GenerateReport } from '../generate/generate.ts';
import { withoutRateWords } from '../problems.ts';
import { accessOf } from '../report/access.ts';
import type { ReportRequest } from '../report/request.ts';
import { createCutter } from './cut.ts';
import { keyOf, type ResultStore } from './store/store.ts';

export interface MakeDeps {
  readonly database: Pick<Database, 'transaction'>;
  readonly store: ResultStore;
  /** For what is being made; on the disk of the store where that is a folder. */
  readonly folder: string;
  readonly space: JobSpace;
  /** Of one result. */
  readonly mostBytes: number;
  readonly partRows: number;
}

/** How a run ended; `lost`: the job is no longer this run's. */
export type JobEnding =
  | { readonly kind: 'made'; readonly result: JobResult }
  | { readonly kind: 'failed'; readonly problem: JobProblem }
  | { readonly kind: 'lost' };

/** Rows of a part: what a synchronous report may have, and a sheet holds. */
export const PART_ROWS = 500_000;

const problems = {
  large: {
    message:
      'The result takes more than REPORT_JOB_MB. Choose fewer dimensions, a shorter selectedDate, or the format parquet.',
  },
  own: {
    message:
      'Your results take all the room that a user has (a quarter of REPORT_JOBS_MB). Delete jobs that you no longer need.',
  },
  organization: {
    message:
      'The results of your organization take all the room that it has (three quarters of REPORT_JOBS_MB). Delete jobs that you no longer need.',
  },
  all: {
    message:
      'All results together take the room that they have (REPORT_JOBS_MB). Delete jobs that you no longer need, or try again tomorrow.',
  },
} as const;

/**
 * Makes the report as a request would, of what the token sees now, and puts it into the store part by part. Parquet
 * and nothing else is one part, however large: it has groups of rows inside.
 * @param noteRows gets how many rows are written.
 * @throws ReportFailed where ClickHouse is unavailable or the signal aborts, and any error of the store.
 */
export async function makeJob(
  job: ClaimedJob,
  generateReport: GenerateReport,
  deps: MakeDeps,
  signal: AbortSignal,
  noteRows: (rows: number) => void,
): Promise<JobEnding> {
  const request = job.request as ReportRequest;
  const made = await generateReport(request, accessOf(job.scope), signal);
  if (made.kind === 'refused')
    return { kind: 'failed', problem: { message: 'Validation failed', errors: made.errors } };
  if (made.kind === 'without-rate')
    return {
      kind: 'failed',
      problem: { message: withoutRateWords(made.missing.currency, made.missing.day) },
    };
  const folder = join(deps.folder, `making-${job.id}-${job.epoch}`);
  await mkdir(folder, { recursive: true, mode: 0o700 });
  try {
    return await putParts(job, made, folder, deps, signal, noteRows);
  } finally {
    made.rows.destroy();
    await rm(folder, { recursive: true, force: true });
  }
}

async function putParts(
  job: ClaimedJob,
  made: Extract<Generated, { kind: 'made' }>,
  folder: string,
  deps: MakeDeps,
  signal: AbortSignal,
  noteRows: (rows: number) => void,
): Promise<JobEnding> {
  const format = (job.request as ReportRequest).format ?? 'json';
  const { provenance } = made;
  const parts = partsOf(format, made, deps.partRows);
  const put = createPut(job, folder, deps, signal);
  let rows = 0;
  do {
    const before = rows;
    const ending = await put(parts.next(), 'rows', () => parts.rows() - before);
    if (ending !== null) return ending;
    rows = parts.rows();
    noteRows(rows);
  } while (await parts.hasMore());
  if (provenance !== null && needsSideFile(format)) {
    const ending = await put(Readable.from([sideText(provenance)]), 'sources', () => 0);
    if (ending !== null) return ending;
  }
  const meta = format === 'json' ? made.metaOf(rows) : null;
  return { kind: 'made', result: { rows, meta, leftOut: made.leftOut, oldRates: made.oldRates } };
}

/** Puts one part after the other. @returns null where it is there, and else how the run ends. */
function createPut(
  job: ClaimedJob,
  folder: string,
  { database, store, space, mostBytes }: MakeDeps,
  signal: AbortSignal,
): (content: Readable, kind: PartKind, rowsOf: () => number) => Promise<JobEnding | null> {
  let part = 0;
  let bytes = 0;
  return async (content, kind, rowsOf) => {
    const path = join(folder, String(part));
    await pipeline(content, createWriteStream(path, { mode: 0o600 }), { signal });
    const { size } = await stat(path);
    bytes += size;
    if (bytes > mostBytes) return { kind: 'failed', problem: problems.large };
    const noted = await notePart(database, { ...job, part, kind, rows: rowsOf(), bytes: size }, space);
    if (noted === 'lost') return { kind: 'lost' };
    if (noted !== 'noted') return { kind: 'failed', problem: problems[noted] };
    await store.put(keyOf(job, part), path, signal).catch((error: unknown) => {
      throw new ReportFailed('away', error);
    });
    part++;
    return null;
  };
}

interface Parts {
  hasMore(): Promise<boolean>;
  next(): Readable;
  rows(): number;
}

/** As they lie in the store: JSON as bare rows, from which answers and pages are made. */
function partsOf(
  format: FormatName,
  { rows, ...about }: Extract<Generated, { kind: 'made' }>,
  partRows: number,
): Parts {
  if (format === 'parquet')
    return {
      hasMore: async () => false,
      next: () => answerFormats.parquet.write(rows, about),
      rows: () => 0,
    };
  const cutter = createCutter(rows, format === 'csv');
  const bare = (part: AsyncIterable<Buffer>): Readable => Readable.from(part, { objectMode: false });
  switch (format) {
    case 'csv':
      return headedParts(cutter, partRows);
    case 'xlsx': {
      const write = (part: AsyncIterable<Buffer>) => answerFormats.xlsx.write(part, about);
      return { ...cutter, next: () => write(cutter.part(partRows)) };
    }
    case 'json':
    case 'ndjson':
      return { ...cutter, next: () => bare(cutter.part(partRows)) };
  }
}

/** Each part has the headings. */
function headedParts(cutter: ReturnType<typeof createCutter>, partRows: number): Parts {
  const head: Buffer[] = [];
  async function* next(): AsyncGenerator<Buffer> {
    if (head.length === 0) for await (const piece of cutter.part(1)) head.push(Buffer.from(piece));
    yield* head;
    yield* cutter.part(partRows);
  }
  return {
    hasMore: cutter.hasMore,
    next: () => Readable.from(next(), { objectMode: false }),
    rows: () => Math.max(0, cutter.rows() - 1),
  };
}
