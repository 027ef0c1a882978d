import type { IncomingMessage } from 'node:http';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { sendUnavailable } from '../../engine/kit/http/errors.ts';

/** Marks the origin of the answer: a 401 of the reporting API is about its token, not about the session. */
export const FROM_REPORTING = 'x-report-answer';

/** The statuses of the reporting API. Anything else, a redirect too, comes from another server. */
const statuses: ReadonlySet<number> = new Set([200, 400, 401, 406, 413, 415, 422, 429, 503]);
/** Of a question about what is kept there, beside these: one that is not there is 404. */
const keptStatuses: ReadonlySet<number> = new Set([201, 202, 204, 403, 404, 409, 410]);
/** Of reports and refusals: nothing that a browser would show as a page of this site. */
const types =
  /^(application\/json|text\/csv|application\/x-ndjson|application\/zip|application\/vnd\.apache\.parquet|application\/vnd\.openxmlformats-officedocument\.spreadsheetml\.sheet)(;|$)/;
const passedHeaders = [
  'content-type',
  'content-encoding',
  'vary',
  'content-disposition',
  'retry-after',
  'x-ratelimit-limit',
  'x-ratelimit-remaining',
  // What a reader of a file's money must know of it.
  'x-old-rates',
  'x-rows-left-out',
] as const;

const unexpected = {
  message:
    'The server at REPORTING_URL is not the reporting service, or has another version. Correct the setting.',
} as const;

/** Streams the answer to the client as it comes. */
export function passOn(
  request: FastifyRequest,
  reply: FastifyReply,
  answer: IncomingMessage,
  isOfKept = false,
): FastifyReply {
  const { statusCode = 0, headers } = answer;
  const isKnown = statuses.has(statusCode) || (isOfKept && keptStatuses.has(statusCode));
  if (!isKnown || (statusCode !== 204 && !types.test(headers['content-type'] ?? ''))) {
    answer.destroy();
    request.log.warn({ status: statusCode }, 'the server at REPORTING_URL is not the reporting API');
    reply.header(FROM_REPORTING, 'unexpected');
    return statusCode >= 500 ? sendUnavailable(reply) : reply.code(502).send(unexpected);
  }
  for (const name of passedHeaders) {
    const value = headers[name];
    if (value !== undefined) reply.header(name, value);
  }
  // If the answer breaks off, the client's breaks off, too: it can see that the answer is incomplete.
  return reply.code(statusCode).header(FROM_REPORTING, 'passed').send(answer);
}
