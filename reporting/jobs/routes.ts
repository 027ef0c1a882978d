import { finished, Readable } from 'node:stream';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Database } from '../../engine/adapters/postgres/database.ts';
import {
  findReportJob,
  insertReportJob,
  listReportJobs,
  type ReportJob,
  removeReportJob,
} from '../../engine/adapters/postgres/report-jobs/jobs.ts';
import type { Clock } from '../../engine/contract/concurrency/clock.ts';
import { sendUnavailable } from '../../engine/kit/http/errors.ts';
import { sendNotFound } from '../../engine/kit/http/problem.ts';
import { callerOf } from '../access/caller.ts';
import { nameCaveats } from '../answer/caveats.ts';
import { answerFormats } from '../answer/formats.ts';
import { sendStream } from '../answer/send-stream.ts';
import { sendInvalid } from '../problems.ts';
import { periodOf } from '../report/period.ts';
import type { ReportRequest } from '../report/request.ts';
import { cursorOf, cursorText, readPage } from './page.ts';
import { openPart, partName } from './part-file.ts';
import { createSchema, listSchema, pageSchema, partSchema, removeSchema, showSchema } from './schema.ts';
import type { ResultStore } from './store/store.ts';
import { formatOf, metaFor, summaryOf, viewOf } from './view.ts';

export interface JobRoutesDeps {
  readonly database: Pick<Database, 'query' | 'transaction'>;
  /** Null: no place for results is set up, and there are no jobs. */
  readonly store: ResultStore | null;
  readonly clock: Pick<Clock, 'now'>;
  /** A job was made. */
  wake(): void;
}

const notSetUp = {
  message:
    'No place for the results of jobs is set up. The operator sets REPORT_JOBS_FOLDER or REPORT_JOBS_BUCKET_URL.',
} as const;
const fullMessages = {
  own: 'Ten of your jobs wait or run. Wait until one ends, or delete one.',
  organization:
    'Two hundred and fifty jobs of your organization wait or run. Try again when some have ended.',
  kept: 'You have 100 jobs. Delete some that you no longer need.',
} as const;
const FULL_RETRY_SECONDS = 60;
const DEFAULT_LIMIT = 1_000;
/** A client that takes this long for a page or part keeps a file open. */
const ANSWER_DEADLINE_MS = 60 * 60_000;

type JobRequest = FastifyRequest<{ Params: { id: number } }>;
type PartRequest = FastifyRequest<{ Params: { id: number; part: number } }>;
type PageRequest = FastifyRequest<{
  Params: { id: number };
  Querystring: { limit?: number; cursor?: string };
}>;

export function jobRoutes(scope: FastifyInstance, deps: JobRoutesDeps): void {
  const { database, store } = deps;
  scope.addHook('preHandler', async (request, reply) => {
    if (store === null && request.routeOptions.schema?.operationId !== listSchema.operationId)
      return reply.code(404).send(notSetUp);
  });

  const find = (request: JobRequest): Promise<ReportJob | null> => {
    const caller = callerOf(request);
    return findReportJob(database, caller, caller.scope, request.params.id);
  };

  scope.post(
    '/reports/jobs',
    { schema: createSchema },
    (request: FastifyRequest<{ Body: ReportRequest }>, reply) => createJob(deps, request, reply),
  );
  scope.get('/reports/jobs', { schema: listSchema }, async (request) => {
    const caller = callerOf(request);
    const jobs = await listReportJobs(database, caller, caller.scope);
    return { status: 'success', data: jobs.map(summaryOf), meta: { available: store !== null } };
  });
  scope.get('/reports/jobs/:id', { schema: showSchema }, async (request: JobRequest, reply) => {
    const job = await find(request);
    return job === null ? sendNotFound(reply) : { status: 'success', data: viewOf(job) };
  });
  scope.delete('/reports/jobs/:id', { schema: removeSchema }, async (request: JobRequest, reply) =>
    (await removeReportJob(database, callerOf(request), request.params.id))
      ? reply.code(204).send()
      : sendNotFound(reply),
  );
  scope.get('/reports/jobs/:id/parts/:part', { schema: partSchema }, async (request: PartRequest, reply) => {
    const job = await find(request);
    if (job === null) return sendNotFound(reply);
    return sendNotReady(reply, job) ?? (await sendPart(request, reply, job, store));
  });
  scope.get('/reports/jobs/:id/rows', { schema: pageSchema }, async (request: PageRequest, reply) => {
    const job = await find(request);
    if (job === null) return sendNotFound(reply);
    return sendNotReady(reply, job) ?? (await sendPage(request, reply, job, store));
  });
}

/** With the days as they are now: `today` does not move while the job waits. */
async function createJob(
  { database, clock, wake }: JobRoutesDeps,
  request: FastifyRequest<{ Body: ReportRequest }>,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const caller = callerOf(request);
  const { start, end } = periodOf(request.body, clock.now());
  const made = await insertReportJob(database, caller, { ...request.body, selectedDate: [start, end] });
  if (made === 'all') return sendUnavailable(reply, FULL_RETRY_SECONDS);
  if (typeof made === 'string')
    return reply
      .code(429)
      .header('retry-after', String(FULL_RETRY_SECONDS))
      .send({ message: fullMessages[made] });
  wake();
  const job = await findReportJob(database, caller, caller.scope, made);
  if (job === null) return sendNotFound(reply);
  return reply
    .code(202)
    .header('location', `/api/v1/reports/jobs/${job.id}`)
    .send({ status: 'success', data: viewOf(job) });
}

/** @returns null where the result may be read. */
export function sendNotReady(reply: FastifyReply, job: ReportJob): FastifyReply | null {
  if (job.state === 'failed')
    return reply.code(409).send({ message: `The job failed: ${job.problem?.message ?? ''}` });
  if (job.state !== 'done')
    return reply
      .code(409)
      .send({ message: 'The job is not done yet: its result is there when its state is done.' });
  if (!job.sees_same)
    return reply
      .code(410)
      .send({ message: 'The token sees other rows than when the job ran. Make the job again.' });
  return null;
}

export async function sendPart(
  request: FastifyRequest<{ Params: { part: number } }>,
  reply: FastifyReply,
  job: ReportJob,
  store: ResultStore | null,
): Promise<FastifyReply> {
  const { part } = request.params;
  const found = job.parts[part];
  if (found === undefined) return sendNotFound(reply);
  const file = store === null ? null : await openPart(store, job, part, untilAnswered(reply));
  if (file === null) return sendGone(reply);
  if (formatOf(job) !== 'json')
    reply.header('content-disposition', `attachment; filename="${partName(job, part)}"`);
  nameCaveats(reply, { leftOut: job.left_out, oldRates: job.old_rates });
  return sendStream(request, reply, file.bytes, file.contentType, found.bytes);
}

async function sendPage(
  request: PageRequest,
  reply: FastifyReply,
  job: ReportJob,
  store: ResultStore | null,
): Promise<FastifyReply> {
  if (formatOf(job) !== 'json')
    return reply.code(409).send({ message: 'Only a job with the format json has pages: read its parts.' });
  const { limit = DEFAULT_LIMIT, cursor } = request.query;
  const from = cursor === undefined ? { part: 0, at: 0 } : cursorOf(cursor);
  const page =
    from === null || store === null ? 'wrong' : await readPage(store, job, from, limit, untilAnswered(reply));
  if (page === 'wrong')
    return sendInvalid(reply, { cursor: ['The cursor field must be a next_cursor of this job.'] });
  if (page === null) return sendGone(reply);
  const next = page.next === null ? null : cursorText(page.next);
  const text = Buffer.concat([
    Buffer.from('{"status":"success","data":['),
    ...page.rows.flatMap((row, at) => (at === 0 ? [row] : [comma, row])),
    Buffer.from(`],"meta":${metaFor(job.meta ?? '{}', page.rows.length, next)}}`),
  ]);
  return sendStream(request, reply, Readable.from([text]), answerFormats.json.contentType, text.length);
}

const comma = Buffer.from(',');

/** A backup has no results, and a folder may be emptied. */
const sendGone = (reply: FastifyReply): FastifyReply =>
  reply.code(410).send({ message: 'The result is gone from its place. Make the job again.' });

function untilAnswered(reply: FastifyReply): AbortSignal {
  const stop = new AbortController();
  const late = setTimeout(() => {
    stop.abort(new Error('the answer took too long'));
    reply.raw.destroy();
  }, ANSWER_DEADLINE_MS);
  finished(reply.raw, () => {
    clearTimeout(late);
    stop.abort(new Error('the answer is over'));
  });
  return stop.signal;
}
