import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify';
import { AnalyticsAway } from '../client/analytics/port.ts';
import { isDatabaseAway } from './database-away.ts';
import { sendFieldErrors, sendNotFound } from './problem.ts';
import { InvalidRequest } from './validation.ts';

/** Long enough for a failover to make progress, short enough that nobody waits for nothing. */
const RETRY_AFTER_SECONDS = 5;

const messages: Readonly<Record<number, string>> = {
  400: 'The request is malformed.',
  413: 'The request body is too large.',
  414: 'The URL is too long.',
  415: 'The request body must be application/json.',
};

const codeMessages: Readonly<Record<string, string>> = {
  FST_ERR_CTP_EMPTY_JSON_BODY: 'The request body is empty.',
  FST_ERR_CTP_INVALID_JSON_BODY: 'The request body is not valid JSON.',
};

/** One place decides what an error becomes. Neither stack nor SQL ever leaves the process. */
export function handleError(error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  // What fails before a route is chosen has passed no hook.
  reply.header('x-request-id', request.id);
  if (error instanceof InvalidRequest) {
    return error.inPath ? sendNotFound(reply) : sendFieldErrors(reply, error.fieldErrors);
  }
  if (isDatabaseAway(error) || error instanceof AnalyticsAway) {
    request.log.warn({ err: error }, 'a database is away');
    return sendUnavailable(reply);
  }
  const { statusCode = 500, code = '' } = error as Partial<FastifyError>;
  if (statusCode >= 400 && statusCode < 500) {
    const message = codeMessages[code] ?? messages[statusCode] ?? messages[400];
    return reply.code(statusCode).send({ message });
  }
  request.log.error({ err: error }, 'request failed');
  return reply.code(500).send({ message: 'Something went wrong on our side.' });
}

export const sendUnavailable = (reply: FastifyReply): FastifyReply =>
  reply
    .code(503)
    .header('retry-after', String(RETRY_AFTER_SECONDS))
    .send({ message: 'The service is unavailable for the moment. Try again shortly.' });
