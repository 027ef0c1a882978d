import { finished } from 'node:stream';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { ReportScope } from '../../engine/adapters/postgres/report-tokens.ts';
import type { ReportMetrics } from '../../engine/adapters/telemetry/report-metrics.ts';
import type { FairQueue } from '../../engine/contract/concurrency/fair-queue.ts';
import { callerOf } from '../access/caller.ts';
import type { WaitForPermit } from '../access/wait-for-permit.ts';
import { accepts, answerFormats } from '../answer/formats.ts';
import { watched } from '../answer/watched.ts';
import { sendInvalid, sendWithoutRate } from '../problems.ts';
import type { Access } from '../report/access.ts';
import type { ReportRequest } from '../report/request.ts';
import type { Spool } from '../spool/spool.ts';
import type { Generated, GenerateReport } from './generate.ts';
import { generateSchema } from './schema.ts';

export interface RouteDeps {
  readonly generateReport: GenerateReport;
  readonly queue: FairQueue;
  readonly waitForPermit: WaitForPermit;
  readonly spool: Spool;
  readonly metrics: ReportMetrics;
}

/** A client that takes this long keeps memory or disk from others; a ledger's rows stay longer. */
const ANSWER_DEADLINE_MS = 5 * 60_000;

type GenerateRequest = FastifyRequest<{ Body: ReportRequest }>;

export function generateRoute(scope: FastifyInstance, deps: RouteDeps): void {
  const { generateReport, queue, waitForPermit, spool, metrics } = deps;
  metrics.sampleInHand(queue.count);
  metrics.sampleSpooled(spool.used);

  scope.post('/reports/generate', { schema: generateSchema }, async (request: GenerateRequest, reply) => {
    const caller = callerOf(request);
    const format = answerFormats[request.body.format ?? 'json'];
    if (!accepts(request.headers.accept, format.contentType)) return sendNotAcceptable(reply);
    const leave = await waitForPermit(caller, reply);
    if (leave === null) return reply;
    const answer = watchAnswer(reply, metrics, leave);
    const made = await generateReport(request.body, accessOf(caller.scope), answer.signal);
    if (made.kind === 'refused') return sendInvalid(reply, made.errors);
    if (made.kind === 'without-rate') return sendWithoutRate(reply, made.missing);
    return sendReport(request, reply, made, { answer, spool, metrics });
  });
}

function sendReport(
  request: GenerateRequest,
  reply: FastifyReply,
  { rows, columns, period, leftOut, metaOf }: Extract<Generated, { kind: 'made' }>,
  { answer, spool, metrics }: Sending,
): FastifyReply {
  const { signal, leave, brokeOff } = answer;
  const format = answerFormats[request.body.format ?? 'json'];
  signal.addEventListener('abort', () => rows.destroy(), { once: true });
  const drop = (reason: string): void => {
    request.log.warn(
      { user: callerOf(request).userId },
      `the client of a report was disconnected: ${reason}`,
    );
    brokeOff('slow');
    reply.raw.destroy();
  };
  const spooled = spool.through(rows, { signal, onEnd: leave, drop });
  const counted = watched(spooled, (bytes, lines) =>
    metrics.sent(bytes, format.lines === null ? 0 : format.lines === 'headed' ? lines - 1 : lines),
  );
  const bytes = format.write(counted, { columns, metaOf });
  bytes.once('error', () => brokeOff('rows'));
  reply.header('content-type', format.contentType).header('cache-control', 'no-store');
  if (leftOut.length > 0) {
    reply.header('x-rows-left-out', leftOut.map(({ currency, rows }) => `${currency}=${rows}`).join(', '));
  }
  if (format.extension !== null) {
    const name = `report-${period.start}-${period.end}.${format.extension}`;
    reply.header('content-disposition', `attachment; filename="${name}"`);
  }
  // An error in the middle destroys the connection: the client sees that the answer is incomplete.
  return reply.send(bytes);
}

interface Sending extends Pick<RouteDeps, 'spool' | 'metrics'> {
  readonly answer: WatchedAnswer;
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
  });
  return { signal: stop.signal, leave, brokeOff };
}

const accessOf = ({ unrestricted, domains, wholesalers }: ReportScope): Access =>
  unrestricted ? 'unrestricted' : { domains, wholesalers };

const sendNotAcceptable = (reply: FastifyReply): FastifyReply =>
  reply.code(406).send({ message: 'The report is not available in a type that Accept names.' });
