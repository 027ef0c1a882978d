import type { FastifyReply } from 'fastify';
import { sendUnavailable } from '../../../engine/kit/http/errors.ts';
import { sendTooMany } from '../../../engine/kit/http/problem.ts';
import { done, sendWrongOrigin } from '../answers.ts';
import type { createSubscribe, Submitted } from './batches.ts';

export type Subscribe = ReturnType<typeof createSubscribe>;

export function sendSubmitted(reply: FastifyReply, ending: Submitted): FastifyReply {
  if (typeof ending === 'object') return sendTooMany(reply, ending.retryAfterSeconds);
  switch (ending) {
    case 'stored':
      return reply.code(200).send(done);
    case 'app-gone':
      // Deleted since the origin was looked up: the same answer as a moment later.
      return sendWrongOrigin(reply);
    case 'full':
      return sendUnavailable(reply);
  }
}
