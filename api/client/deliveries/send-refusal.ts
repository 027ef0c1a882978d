import type { FastifyReply } from 'fastify';
import { sendUnavailable } from '../../../engine/kit/http/errors.ts';
import { sendFieldErrors, sendNotFound } from '../../../engine/kit/http/problem.ts';
import { isFirstUse, type Repeated } from './create/idempotency.ts';
import type { Refused } from './refused.ts';

/** How a request about deliveries and campaigns ends that changes nothing. */
export type Refusal =
  | Refused
  | { readonly kind: 'forbidden'; readonly message: string }
  | { readonly kind: 'missing' }
  /** Too many images or pages are being fetched. */
  | { readonly kind: 'busy' }
  /** Its idempotency key was used before. */
  | Repeated;

export function sendRefusal(reply: FastifyReply, ending: Refusal): FastifyReply {
  switch (ending.kind) {
    case 'refused':
      return sendFieldErrors(reply, ending.errors);
    case 'forbidden':
      return reply.code(403).send({ message: ending.message });
    case 'missing':
      return sendNotFound(reply);
    case 'busy':
      return sendUnavailable(reply);
    case 'repeated':
      isFirstUse(reply, ending.use);
      return reply;
  }
}
