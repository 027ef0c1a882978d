import type { FastifyInstance } from 'fastify';
import type { Readiness } from '../telemetry/readiness.ts';

/** For load balancers and orchestrators: `live` tells of the process, `ready` of what it depends on. */
export function healthRoutes(app: FastifyInstance, readiness: Readiness): void {
  const options = { schema: { hide: true }, config: { answersUnderPressure: true } };
  app.get('/internal/health/live', options, () => ({ status: 'live' }));
  app.get('/internal/health/ready', options, async (_request, reply) => {
    const checks = await readiness();
    const ready = Object.values(checks).every(Boolean);
    return reply.code(ready ? 200 : 503).send({ status: ready ? 'ready' : 'not ready', checks });
  });
}
