import type { FastifyReply } from 'fastify';
import { sendUnavailable } from '../../../engine/adapters/http/errors.ts';
import { done, sendWrongOrigin } from '../answers.ts';
import type { createSubscribe, Submitted } from './batches.ts';

export type Subscribe = ReturnType<typeof createSubscribe>;

export function sendSubmitted(reply: FastifyReply, ending: Submitted): FastifyReply {
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
