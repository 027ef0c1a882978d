import { Readable } from 'node:stream';
import type { ReportJob } from '../../engine/adapters/postgres/report-jobs/jobs.ts';
import { answerFormats, sideFileOf } from '../answer/formats.ts';
import { jsonAnswer } from '../answer/json.ts';
import type { ReportRequest } from '../report/request.ts';
import { keyOf, type ResultStore } from './store/store.ts';
import { formatOf, metaFor } from './view.ts';

/** A part of a result as its readers get it: JSON lies as bare rows in the store. */
export interface PartFile {
  readonly contentType: string;
  readonly bytes: Readable;
}

/** @returns null where it is gone from the store. */
export async function openPart(
  store: ResultStore,
  job: ReportJob,
  part: number,
  signal: AbortSignal,
): Promise<PartFile | null> {
  const bytes = await store.read(keyOf(job, part), 0, signal);
  if (bytes === null) return null;
  const name = formatOf(job);
  if (job.parts[part]?.kind === 'sources') return { contentType: answerFormats.json.contentType, bytes };
  const { contentType } = answerFormats[name];
  if (name !== 'json') return { contentType, bytes };
  const json = jsonAnswer(bytes, (count) => metaFor(job.meta ?? '{}', count));
  return { contentType, bytes: Readable.from(json, { objectMode: false }) };
}

/** Whether nothing of it is gone from the store: a backup has no results, and a folder may be emptied. */
export async function isWhole(store: ResultStore, job: ReportJob, signal: AbortSignal): Promise<boolean> {
  for (const part of job.parts.keys()) {
    const bytes = await store.read(keyOf(job, part), 0, signal);
    if (bytes === null) return false;
    bytes.destroy();
  }
  return true;
}

/** `report-2026-01-01-2026-01-31-part-2.csv`, and beside it what its sources are. */
export function partName(job: ReportJob, part: number): string {
  const { selectedDate = [] } = job.request as ReportRequest;
  const whole = `report-${selectedDate.join('-')}`;
  const extension = answerFormats[formatOf(job)].extension ?? 'json';
  if (job.parts[part]?.kind === 'sources') return sideFileOf(`${whole}.${extension}`);
  const number = job.parts.filter(({ kind }) => kind === 'rows').length === 1 ? '' : `-part-${part + 1}`;
  return `${whole}${number}.${extension}`;
}
