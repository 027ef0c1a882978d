import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Database } from '../../engine/adapters/postgres/database.ts';
import { findReportJob } from '../../engine/adapters/postgres/report-jobs/jobs.ts';
import { findRunFile } from '../../engine/adapters/postgres/report-schedules/runs.ts';
import type { Clock } from '../../engine/contract/concurrency/clock.ts';
import { addressKey, createAttemptLimit } from '../../engine/kit/http/attempt-limit.ts';
import { sendTooMany } from '../../engine/kit/http/problem.ts';
import { sendNotReady, sendPart } from '../jobs/routes.ts';
import type { ResultStore } from '../jobs/store/store.ts';
import type { FileAddresses, FileClaim } from './file-address.ts';
import { fileSchema } from './schema.ts';

export interface FileRouteDeps {
  readonly database: Pick<Database, 'query'>;
  readonly clock: Pick<Clock, 'now'>;
  readonly store: ResultStore | null;
  /** Null: no schedules are set up, and nothing was ever signed. */
  readonly addresses: FileAddresses | null;
}

type FileRequest = FastifyRequest<{
  Params: Omit<FileClaim, 'until'>;
  Querystring: { until: number; signature: string };
}>;

/** Of one address of a client in a minute: a file of a report is a download, and may be read again. */
const PER_MINUTE = 60;
const MAX_ADDRESSES = 10_000;

/** For those who have no token. The signature is checked before anything is read. */
export function fileRoute(
  scope: FastifyInstance,
  { database, clock, store, addresses }: FileRouteDeps,
): void {
  const limit = createAttemptLimit({ most: PER_MINUTE, withinMs: 60_000, maxKeys: MAX_ADDRESSES });

  scope.get('/reports/files/:run/:job/:part', { schema: fileSchema }, async (request: FileRequest, reply) => {
    const wait = limit.take(addressKey(request.ip));
    if (wait > 0) return sendTooMany(reply, wait);
    const { until, signature } = request.query;
    if (addresses?.isSigned({ ...request.params, until }, signature) !== true)
      return reply.code(403).send({ message: 'The address is not signed by this installation.' });
    if (until * 1_000 < clock.now()) return sendGone(reply);
    const file = await findRunFile(database, request.params.run);
    if (file === null || file.jobId !== request.params.job) return sendGone(reply);
    const job = await findReportJob(database, file, file.scope, file.jobId);
    if (job === null) return sendGone(reply);
    return sendNotReady(reply, job) ?? (await sendPart(request, reply, job, store));
  });
}

const sendGone = (reply: FastifyReply): FastifyReply =>
  reply.code(410).send({ message: 'The file is not there any more.' });
