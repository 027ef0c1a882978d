import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify';
import { type FieldErrors, sendFieldErrors, sendNotFound } from './problem.ts';
import { InvalidRequest } from './validation.ts';

/** Long enough for a failover to make progress, short enough not to delay clients needlessly. */
const RETRY_AFTER_SECONDS = 5;

const messages: Readonly<Record<number, string>> = {
  400: 'The request is malformed.',
  413: 'The request body is too large.',
  414: 'The URL is too long.',
  415: 'The request body must be application/json.',
  431: 'The headers of the request are too long.',
};

const codeMessages: Readonly<Record<string, string>> = {
  FST_ERR_CTP_EMPTY_JSON_BODY: 'The request body is empty.',
  FST_ERR_CTP_INVALID_JSON_BODY: 'The request body is not valid JSON.',
  BODY_FORBIDDEN_NAME:
    'The request body has a field called __proto__, or a prototype inside a constructor: give it another name.',
  NOT_UTF8: 'The request holds text that is not UTF-8: encode it as UTF-8.',
  OTHER_CHARSET:
    'The request body must be UTF-8, and its Content-Type names another charset: encode it as UTF-8.',
  FST_PROTO_VIOLATION:
    'The form has a field whose name every object has, such as __proto__ or constructor: give it another name.',
};

export type ErrorHandler = (error: unknown, request: FastifyRequest, reply: FastifyReply) => FastifyReply;

/** An answer that says how to resolve the error, and when to retry. */
export interface Refusal {
  readonly statusCode: 429 | 503;
  readonly retryAfterSeconds: number;
  readonly message: string;
}

export interface ErrorHandlerOptions {
  /** Whether the same request may succeed in a moment: a dependency is unavailable, or a deadlock ended it. */
  readonly isAway: (error: unknown) => boolean;
  /** Set where the error is a refusal with an answer of its own. */
  readonly refusalOf?: (error: unknown) => Refusal | null;
  /** Builds the refusal of a request with invalid fields; by default with the first error as the message. */
  readonly sendInvalid?: (reply: FastifyReply, errors: FieldErrors) => FastifyReply;
  /** Fields of a refusal beside its message; before a route is chosen no hook could add them. */
  readonly fields?: object;
}

/** Only this function turns an error into an answer. Neither stack nor SQL ever leaves the process. */
export function createErrorHandler(options: ErrorHandlerOptions): ErrorHandler {
  const { isAway, refusalOf = () => null, sendInvalid = sendFieldErrors, fields } = options;
  return function handleError(error, request, reply) {
    // A request that fails before a route is chosen has passed no hook.
    reply.header('x-request-id', request.id);
    if (error instanceof InvalidRequest) {
      return error.inPath ? sendNotFound(reply) : sendInvalid(reply, error.fieldErrors);
    }
    const refusal = refusalOf(error);
    if (refusal !== null) {
      const { statusCode, retryAfterSeconds, message } = refusal;
      reply.code(statusCode).header('retry-after', String(retryAfterSeconds));
      return reply.send({ ...fields, message });
    }
    if (isAway(error)) {
      request.log.warn({ err: error }, 'a store is unavailable, or ended the request');
      return sendUnavailable(reply);
    }
    const { statusCode = 500, code = '' } = error as Partial<FastifyError>;
    if (statusCode >= 400 && statusCode < 500) {
      const message = codeMessages[code] ?? messages[statusCode] ?? messages[400];
      return reply.code(statusCode).send({ ...fields, message });
    }
    request.log.error({ err: error }, 'request failed');
    return reply.code(500).send({ ...fields, message: 'Something went wrong on our side.' });
  };
}

export const sendUnavailable = (
  reply: FastifyReply,
  retryAfterSeconds: number = RETRY_AFTER_SECONDS,
): FastifyReply =>
  reply
    .code(503)
    .header('retry-after', String(retryAfterSeconds))
    .send({ message: 'The service is unavailable for the moment. Try again shortly.' });
