import { randomUUID } from 'node:crypto';
import type { Socket } from 'node:net';
import type { ConnectionError, FastifyInstance } from 'fastify';

interface Refusal {
  readonly status: string;
  readonly message: string;
}

const malformed: Refusal = { status: '400 Bad Request', message: 'The request is malformed.' };
const refusals: Readonly<Record<string, Refusal>> = {
  ERR_HTTP_REQUEST_TIMEOUT: {
    status: '408 Request Timeout',
    message: 'The request took too long to arrive.',
  },
  HPE_HEADER_OVERFLOW: {
    status: '431 Request Header Fields Too Large',
    message: 'The address and the headers of the request are too long.',
  },
};

/** A connection on which an answer is being written; Node's own handler checks the same. */
interface AnsweringSocket {
  readonly _httpMessage?: { readonly headersSent: boolean } | null;
}

/**
 * Answers requests that Node's parser refuses, and that no route ever sees, in the shape of every other answer.
 * @param fields those of a refusal beside its message.
 */
export function createClientErrorAnswer(fields: object) {
  return function answerClientError(this: FastifyInstance, error: ConnectionError, socket: Socket): void {
    answer(this, error, socket, fields);
  };
}

function answer({ log }: FastifyInstance, error: ConnectionError, socket: Socket, fields: object): void {
  const answering = (socket as Socket & AnsweringSocket)._httpMessage?.headersSent ?? false;
  if (error.code === 'ECONNRESET' || !socket.writable || answering) {
    socket.destroy();
    return;
  }
  const requestId = randomUUID();
  const { status, message } = refusals[error.code] ?? malformed;
  // Not the error itself: it holds the raw bytes, a token among them.
  log.info({ reqId: requestId, code: error.code, status }, 'a request was refused by the parser');
  socket.end(rawAnswer(status, requestId, JSON.stringify({ ...fields, message })));
  // The rest of the request is not read.
  socket.destroySoon();
}

const rawAnswer = (status: string, requestId: string, body: string): string =>
  [
    `HTTP/1.1 ${status}`,
    'content-type: application/json; charset=utf-8',
    `content-length: ${Buffer.byteLength(body)}`,
    `x-request-id: ${requestId}`,
    'x-content-type-options: nosniff',
    'connection: close',
    '',
    body,
  ].join('\r\n');
