import { finished } from 'node:stream';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { ReportMetrics } from '../../engine/adapters/telemetry/report-metrics.ts';
import type { FairQueue } from '../../engine/contract/concurrency/fair-queue.ts';
import { sendUnavailable } from '../../engine/kit/http/errors.ts';
import type { FieldErrors } from '../../engine/kit/http/problem.ts';
import { callerOf } from '../access/caller.ts';
import type { WaitForPermit } from '../access/wait-for-permit.ts';
import { nameCaveats } from '../answer/caveats.ts';
import { accepts, singleFile } from '../answer/formats.ts';
import type { HeldAnswer, HeldAnswers } from '../answer/held-answers.ts';
import { failureOf, ReportFailed } from '../answer/report-reader.ts';
import { sendStream } from '../answer/send-stream.ts';
import { watched } from '../answer/watched.ts';
import { sendInvalid, sendWithoutRate } from '../problems.ts';
import { accessOf } from '../report/access.ts';
import type { ReportRequest } from '../report/request.ts';
import type { Generated, GenerateReport } from './generate.ts';
import { largeAnswer } from './refusals.ts';
import { generateSchema } from './schema.ts';

export interface RouteDeps {
  readonly generateReport: GenerateReport;
  readonly queue: FairQueue;
  readonly waitForPermit: WaitForPermit;
  readonly answers: HeldAnswers;
  /** Of one answer. */
  readonly answerMb: number;
  readonly metrics: ReportMetrics;
}

/** A client that takes this long keeps memory from others; a ledger's rows stay longer. */
const ANSWER_DEADLINE_MS = 5 * 60_000;

type GenerateRequest = FastifyRequest<{ Body: ReportRequest }>;

export function generateRoute(scope: FastifyInstance, deps: RouteDeps): void {
  const { generateReport, queue, waitForPermit, answers, answerMb, metrics } = deps;
  metrics.sampleInHand(queue.count);
  metrics.sampleUnread(answers.used);

  scope.post('/reports/generate', { schema: generateSchema }, async (request: GenerateRequest, reply) => {
    const caller = callerOf(request);
    const format = singleFile(request.body, '');
    if (!accepts(request.headers.accept, format.contentType)) return sendNotAcceptable(reply);
    const leave = await waitForPermit(caller, reply);
    if (leave === null) return reply;
    const answer = watchAnswer(reply, metrics, leave);
    const made = await generateReport(request.body, accessOf(caller.scope), answer.signal);
    if (made.kind === 'refused') return sendInvalid(reply, made.errors);
    if (made.kind === 'without-rate') return sendWithoutRate(reply, made.missing);
    const drop = (reason: string): void => {
      request.log.warn({ user: caller.userId }, `the client of a report was disconnected: ${reason}`);
      answer.brokeOff('slow');
      reply.raw.destroy();
    };
    const held = await answers
      .hold(made, { ...caller, signal: answer.signal, drop })
      .catch((error: unknown) => refusedBy(made, failureOf(error, answer.signal)));
    if (held === 'large') return sendInvalid(reply, largeAnswer(answerMb));
    if (held === 'full') return sendUnavailable(reply);
    if ('errors' in held) return sendInvalid(reply, held.errors);
    held.whole.then(leave, leave);
    return sendReport(request, reply, made, held, { answer, metrics });
  });
}

type Made = Extract<Generated, { kind: 'made' }>;

/** Where a later part has a bound too many, the answer is refused as if it were of one. */
function refusedBy(made: Made, failure: unknown): { readonly errors: FieldErrors } {
  const errors = failure instanceof ReportFailed ? made.refusalOf(failure) : null;
  if (errors === null) throw failure;
  return { errors };
}

function sendReport(
  request: GenerateRequest,
  reply: FastifyReply,
  { columns, period, leftOut, oldRates, provenance, metaOf }: Made,
  held: HeldAnswer,
  { answer, metrics }: { readonly answer: WatchedAnswer; readonly metrics: ReportMetrics },
): FastifyReply {
  const name = `report-${period.start}-${period.end}`;
  const format = singleFile(request.body, name);
  const counted = watched(held.read(), (bytes) => {
    const lines = held.lines();
    metrics.sent(bytes, format.lines === null ? 0 : format.lines === 'headed' ? lines - 1 : lines);
  });
  const bytes = format.write(counted, { columns, metaOf, provenance });
  bytes.once('error', () => answer.brokeOff('rows'));
  nameCaveats(reply, { leftOut, oldRates });
  if (format.extension !== null)
    reply.header('content-disposition', `attachment; filename="${name}.${format.extension}"`);
  // An error in the middle destroys the connection: the client sees that the answer is incomplete.
  return sendStream(request, reply, bytes, format.contentType, held.size);
}

interface WatchedAnswer {
  /** Releases the permit: ClickHouse is no longer needed. */
  leave(): void;
  /** Aborts if the client disconnects. */
  readonly signal: AbortSignal;
  /** Only the first reason counts: each leads to the next. */
  brokeOff(reason: Parameters<ReportMetrics['brokenOff']>[0]): void;
}

/** If the client disconnects or takes too long, its query is cancelled and the permit released. */
function watchAnswer(reply: FastifyReply, metrics: ReportMetrics, leave: () => void): WatchedAnswer {
  const stop = new AbortController();
  let isBroken = false;
  const brokeOff = (reason: Parameters<ReportMetrics['brokenOff']>[0]): void => {
    if (!isBroken) metrics.brokenOff(reason);
    isBroken = true;
    stop.abort(new Error(`the answer broke off: ${reason}`));
  };
  const late = setTimeout(() => {
    brokeOff('time');
    reply.raw.destroy();
  }, ANSWER_DEADLINE_MS);
  finished(reply.raw, (error) => {
    clearTimeout(late);
    leave();
    if (error) brokeOff('reader');
    // An answer that was never read gives its memory back.
    else stop.abort(new Error('the answer is over'));
  });
  return { signal: stop.signal, leave, brokeOff };
}

const sendNotAcceptable = (reply: FastifyReply): FastifyReply =>
  reply.code(406).send({ message: 'The report is not available in a type that Accept names.' });
