import type { IncomingMessage } from 'node:http';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { sendUnavailable } from '../../../engine/adapters/http/errors.ts';

/** Tells the page whose answer it is: a 401 of the reporting API is about its token, not about the session. */
export const FROM_REPORTING = 'x-report-answer';

/** What the reporting API says to a client. Anything else, a redirect too, comes from something that is not it. */
const statuses: ReadonlySet<number> = new Set([200, 400, 401, 406, 413, 415, 422, 429, 503]);
/** Of reports and refusals: nothing that a browser would show as a page of this site. */
const types =
  /^(application\/json|text\/csv|application\/x-ndjson|application\/vnd\.apache\.parquet|application\/vnd\.openxmlformats-officedocument\.spreadsheetml\.sheet)(;|$)/;
const passedHeaders = [
  'content-type',
  'content-disposition',
  'retry-after',
  'x-ratelimit-limit',
  'x-ratelimit-remaining',
] as const;

const unexpected = {
  message: 'What answers at REPORTING_URL is not the reporting service, or of another version.',
} as const;

/** Streams the answer to the reader as it comes. */
export function passOn(request: FastifyRequest, reply: FastifyReply, answer: IncomingMessage): FastifyReply {
  const { statusCode = 0, headers } = answer;
  if (!statuses.has(statusCode) || !types.test(headers['content-type'] ?? '')) {
    answer.destroy();
    request.log.warn({ status: statusCode }, 'what answers at REPORTING_URL is not the reporting API');
    reply.header(FROM_REPORTING, 'unexpected');
    return statusCode >= 500 ? sendUnavailable(reply) : reply.code(502).send(unexpected);
  }
  for (const name of passedHeaders) {
    const value = headers[name];
    if (value !== undefined) reply.header(name, value);
  }
  // An answer that breaks off breaks off here, too: whoever reads sees that it is not whole.
  return reply.code(statusCode).header(FROM_REPORTING, 'passed').send(answer);
}
