import type { FastifyInstance } from 'fastify';
import type { StatusClass, Surface } from '../../../engine/adapters/telemetry/service-entries.ts';
import type { ServiceMetrics } from '../../../engine/adapters/telemetry/service-metrics.ts';

const surfaceOf = (path: string): Surface =>
  (/^\/api\/v1\/(client|public|account)\//.exec(path)?.[1] as Surface | undefined) ?? 'other';

function classOf(status: number): StatusClass {
  if (status === 429) return '429';
  if (status >= 500) return '5xx';
  return status >= 400 ? '4xx' : status >= 300 ? '3xx' : '2xx';
}

/** Each request once, when its answer has ended. A stream lasts as long as someone follows it: its time says nothing. */
export function countRequests(app: FastifyInstance, metrics: Pick<ServiceMetrics, 'answered'>): void {
  app.addHook('onResponse', async (request, reply) => {
    const isStream = request.headers.accept?.includes('text/event-stream') ?? false;
    metrics.answered(surfaceOf(request.url), classOf(reply.statusCode), isStream ? null : reply.elapsedTime);
  });
}
