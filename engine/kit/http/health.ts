import type { FastifyInstance } from 'fastify';

/** Each dependency by name and whether it answers. */
type Readiness = () => Promise<Readonly<Record<string, boolean>>>;

/** For load balancers and orchestrators: `live` is about the process, `ready` about its dependencies. */
export function healthRoutes(app: FastifyInstance, readiness: Readiness): void {
  const options = { schema: { hide: true }, config: { answersUnderPressure: true } };
  app.get('/internal/health/live', options, () => ({ status: 'live' }));
  app.get('/internal/health/ready', options, async (_request, reply) => {
    const checks = await readiness();
    const ready = Object.values(checks).every(Boolean);
    return reply.code(ready ? 200 : 503).send({ status: ready ? 'ready' : 'not ready', checks });
  });
}
