import type { FastifyReply, FastifyRequest } from 'fastify';
import type { AppId, DeliveryId } from '../../../../engine/contract/ids.ts';
import { sendUnavailable } from '../../../../engine/kit/http/errors.ts';
import { sendNotFound } from '../../../../engine/kit/http/problem.ts';
import {
  createProgressStreams,
  type ProgressLimits,
  type ProgressStreams,
} from '../../../../engine/kit/roles/progress-streams.ts';
import { callerOf } from '../../../auth/caller.ts';
import { appAnswers, dataOf, security } from '../../../http/answers.ts';
import type { Scope } from '../../../http/scope.ts';
import type { Using } from '../../../ports/deps.ts';
import { appOf } from '../../own-app.ts';
import { deliveryParams, parseDeliveryId } from '../params.ts';
import { readProgress } from './progress.ts';
import { progressEvents, progressSchema } from './progress-schema.ts';

/** How much of a process the streams may take, and of them one user. */
const streamLimits: Required<ProgressLimits> = Object.freeze({
  everyMs: 1_000,
  maxStreams: 64,
  // A browser opens six connections to a host at a time: its other requests need some of them.
  maxOfOwner: 4,
  maxStreamMs: 60_000,
});

const description = `The fields of a delivery that change while it runs.

With \`Accept: text/event-stream\`, as an EventSource sends it, the answer is a stream of events instead: \`progress\`
once a second with the same object as its data, then \`end\` with the last of them. A stream is ended after a minute
without an \`end\`: open it again, as an EventSource does by itself. Where too many streams are open, the answer is
503: read the delivery every few seconds instead.`;

/** In the API, for browsers cannot reach the engine's own listener. */
export function progressRoute(
  scope: Scope,
  { database, progressStreams }: Using<'database' | 'progressStreams'>,
): void {
  const streams = createProgressStreams<WatchedDelivery>({
    read: ({ appId, id }) => readProgress(database, appId, id),
    ...streamLimits,
    ...progressStreams,
  });
  // Before the server waits for running answers: streams never end by themselves.
  scope.addHook('preClose', async () => streams.close());

  scope.get(
    '/apps/:identifier/deliveries/:delivery_id/progress',
    {
      config: { ability: 'deliveries:read' },
      schema: {
        tags: ['Deliveries'],
        summary: 'Follow a delivery',
        operationId: 'followDelivery',
        description,
        security,
        params: deliveryParams,
        response: appAnswers({
          200: {
            description: 'How far it is; or a stream of that.',
            content: {
              'application/json': { schema: dataOf(progressSchema) },
              'text/event-stream': { schema: progressEvents },
            },
          },
        }),
      },
    },
    async (request, reply) => {
      const app = appOf(request);
      const id = parseDeliveryId(request.params.delivery_id);
      if (id === null) return sendNotFound(reply);
      if (wantsStream(request)) return openStream(streams, { appId: app.id, id }, request, reply);
      const data = await readProgress(database, app.id, id);
      return data === null ? sendNotFound(reply) : { data };
    },
  );
}

interface WatchedDelivery {
  readonly appId: AppId;
  readonly id: DeliveryId;
}

const wantsStream = ({ method, headers }: FastifyRequest): boolean =>
  method === 'GET' && /(^|,)\s*text\/event-stream\s*(;|,|$)/.test(headers.accept ?? '');

async function openStream(
  streams: ProgressStreams<WatchedDelivery>,
  watched: WatchedDelivery,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  // The headers that hooks have put on the reply, or a stream would lack the headers of every other answer.
  for (const [name, value] of Object.entries(reply.getHeaders())) {
    if (value !== undefined) reply.raw.setHeader(name, value);
  }
  // A proxy in front must pass events on as they come.
  reply.raw.setHeader('x-accel-buffering', 'no');
  const { userId, organizationId } = callerOf(request);
  switch (await streams.open(watched, reply.raw, userId, organizationId)) {
    case 'open':
      return reply.hijack();
    case 'missing':
      return sendNotFound(unchanged(reply));
    case 'full':
      return sendUnavailable(unchanged(reply));
  }
}

/** Another organization's delivery must answer exactly as one that is missing. */
function unchanged(reply: FastifyReply): FastifyReply {
  reply.raw.removeHeader('x-accel-buffering');
  return reply;
}
