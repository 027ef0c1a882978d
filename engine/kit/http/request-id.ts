import type { FastifyInstance } from 'fastify';

/** Every answer names its request as the log does. */
export function registerRequestId(app: FastifyInstance): void {
  app.addHook('onRequest', async (request, reply) => {
    reply.header('x-request-id', request.id);
  });
}
