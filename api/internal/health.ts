import type { FastifyInstance } from 'fastify';

/** Each dependency by name and whether it answers; settles within a second or two, never rejects. */
export type Readiness = () => Promise<Readonly<Record<string, boolean>>>;

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
