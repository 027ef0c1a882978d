import type { FastifyReply } from 'fastify';
import { Type } from 'typebox';
import { headerIdOf, webhookPayload } from '../../../engine/contract/webhooks.ts';
import { problemSchema, sendNotFound } from '../../../engine/kit/http/problem.ts';
import { actorOf } from '../../auth/audit.ts';
import { callerOf } from '../../auth/caller.ts';
import { answers, dataOf, security } from '../../http/answers.ts';
import { parsePathId, timestamp, timestampOrNull } from '../../http/fields.ts';
import { addressOf, pageFields, pageOf, pageOfQuery, paginate } from '../../http/page.ts';
import type { Scope } from '../../http/scope.ts';
import type { ClientDeps, Using } from '../../ports/deps.ts';
import { type Asked, type Asks, createAsks, PINGS_PER_MINUTE } from './ask-message.ts';
import { listMessages, type StoredMessage } from './message-store.ts';
import { params, reads, tags, writes } from './params.ts';
import { messageSchema, stateFilter } from './schema.ts';
import { findWebhook } from './store.ts';

/** What was sent to an endpoint, and sending more. */
export function messageRoutes(scope: Scope, deps: ClientDeps): void {
  listRoute(scope, deps);
  askRoutes(scope, createAsks(deps.database));
}

function listRoute(
  scope: Scope,
  { database, config: { publicBaseUrl } }: Using<'database' | 'config'>,
): void {
  scope.get(
    '/webhooks/:webhook_id/messages',
    {
      config: reads,
      schema: {
        tags,
        summary: 'List the messages of a webhook',
        operationId: 'listWebhookMessages',
        description:
          'Newest first, with what was sent and what the receiver answered. Ended ones are kept for seven days, and 20,000 at most.',
        security,
        params,
        querystring: Type.Object({ ...pageFields, state: stateFilter }),
        response: answers({ 200: pageOf(messageSchema), 404: problemSchema }),
      },
    },
    async (request, reply) => {
      const id = parsePathId(request.params.webhook_id);
      const webhook = id === null ? null : await findWebhook(database, callerOf(request).organizationId, id);
      if (webhook === null) return sendNotFound(reply);
      const page = pageOfQuery(request.query);
      const { rows, total } = await listMessages(database, webhook.id, request.query.state ?? null, page);
      return paginate(rows.map(messageResource), total, page, addressOf(request, publicBaseUrl));
    },
  );
}

const asking = answers({ 201: dataOf(messageSchema), 404: problemSchema, 409: problemSchema });

function askRoutes(scope: Scope, asks: Asks): void {
  scope.post(
    '/webhooks/:webhook_id/ping',
    {
      config: writes,
      schema: {
        tags,
        summary: 'Send a ping to a webhook',
        operationId: 'pingWebhook',
        description: `An engine sends it within seconds; the list of messages has the receiver’s answer. At most ${PINGS_PER_MINUTE} a minute.`,
        security,
        params,
        response: asking,
      },
    },
    async (request, reply) => {
      const id = parsePathId(request.params.webhook_id);
      return sendAsked(reply, id === null ? { kind: 'missing' } : await asks.ping(actorOf(request), id));
    },
  );

  scope.post(
    '/webhooks/:webhook_id/messages/:message_id/replay',
    {
      config: writes,
      schema: {
        tags,
        summary: 'Send a message of a webhook again',
        operationId: 'replayWebhookMessage',
        description: 'Behind what waits, as a message of its own with the same payload and `webhook-id`.',
        security,
        params: Type.Object({
          ...params.properties,
          message_id: Type.String({ maxLength: 255, description: 'The message’s id.', examples: ['812'] }),
        }),
        response: asking,
      },
    },
    async (request, reply) => {
      const id = parsePathId(request.params.webhook_id);
      const messageId = parsePathId(request.params.message_id);
      if (id === null || messageId === null) return sendNotFound(reply);
      return sendAsked(reply, await asks.replay(actorOf(request), id, messageId));
    },
  );
}

function sendAsked(reply: FastifyReply, asked: Asked): FastifyReply {
  switch (asked.kind) {
    case 'asked':
      return reply.code(201).send({ data: messageResource(asked.message) });
    case 'missing':
      return sendNotFound(reply);
    case 'disabled':
      return reply.code(409).send({ message: 'The webhook is disabled: enable it first.' });
    case 'too-many':
      return reply
        .code(429)
        .header('retry-after', '60')
        .send({ message: `At most ${PINGS_PER_MINUTE} pings a minute.` });
  }
}

const messageResource = ({ data, occurred_at, due_at, ...message }: StoredMessage) => ({
  ...message,
  header_id: headerIdOf(message.header_id),
  payload: webhookPayload({ type: message.type, occurredAt: occurred_at, data }),
  next_attempt_at: timestampOrNull(due_at),
  ended_at: timestampOrNull(message.ended_at),
  answers: message.answers.map((answer) => ({ ...answer, at: timestamp(new Date(answer.at)) })),
  created_at: timestamp(occurred_at),
});
