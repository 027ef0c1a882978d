import { Type } from 'typebox';
import { createSealer } from '../../../engine/adapters/postgres/sealed-secret.ts';
import { problemSchema, sendFieldErrors, sendNotFound } from '../../../engine/kit/http/problem.ts';
import { actorOf } from '../../auth/audit.ts';
import { callerOf } from '../../auth/caller.ts';
import { answers, dataOf, security } from '../../http/answers.ts';
import { parsePathId, timestamp, timestampOrNull } from '../../http/fields.ts';
import { addressOf, pageFields, pageOf, pageOfQuery, paginate } from '../../http/page.ts';
import type { Scope } from '../../http/scope.ts';
import type { ClientDeps, Using } from '../../ports/deps.ts';
import { createWebhooks, type Webhooks } from './change-webhook.ts';
import { messageRoutes } from './message-routes.ts';
import { params, reads, tags, writes } from './params.ts';
import { newWebhookSchema, webhookBody, webhookChanges, webhookSchema } from './schema.ts';
import { findWebhook, listWebhooks, OVERLAP_HOURS, type StoredWebhook } from './store.ts';

/** Endpoints of an organization, and what was sent to them. */
export function webhookRoutes(scope: Scope, deps: ClientDeps): void {
  const { database, masterKey, oldMasterKeys, publicAddresses } = deps;
  const sealer = createSealer(masterKey, oldMasterKeys);
  const webhooks = createWebhooks({ database, sealer, publicAddresses });
  readRoutes(scope, deps);
  createRoute(scope, webhooks);
  changeRoutes(scope, webhooks);
  rotateRoute(scope, webhooks);
  messageRoutes(scope, deps);
}

function readRoutes(
  scope: Scope,
  { database, config: { publicBaseUrl } }: Using<'database' | 'config'>,
): void {
  scope.get(
    '/webhooks',
    {
      config: reads,
      schema: {
        tags,
        summary: 'List webhooks',
        operationId: 'listWebhooks',
        security,
        querystring: Type.Object(pageFields),
        response: answers({ 200: pageOf(webhookSchema) }),
      },
    },
    async (request) => {
      const page = pageOfQuery(request.query);
      const { rows, total } = await listWebhooks(database, callerOf(request).organizationId, page);
      return paginate(rows.map(webhookResource), total, page, addressOf(request, publicBaseUrl));
    },
  );

  scope.get(
    '/webhooks/:webhook_id',
    {
      config: reads,
      schema: {
        tags,
        summary: 'Show a webhook',
        operationId: 'getWebhook',
        security,
        params,
        response: answers({ 200: dataOf(webhookSchema), 404: problemSchema }),
      },
    },
    async (request, reply) => {
      const id = parsePathId(request.params.webhook_id);
      const webhook = id === null ? null : await findWebhook(database, callerOf(request).organizationId, id);
      return webhook === null ? sendNotFound(reply) : { data: webhookResource(webhook) };
    },
  );
}

function createRoute(scope: Scope, webhooks: Webhooks): void {
  scope.post(
    '/webhooks',
    {
      config: writes,
      schema: {
        tags,
        summary: 'Create a webhook',
        operationId: 'createWebhook',
        description:
          'It gets what happens from now on. Only this answer, and that of a rotation, holds the secret.',
        security,
        body: webhookBody,
        response: answers({ 201: dataOf(newWebhookSchema) }),
      },
    },
    async (request, reply) => {
      const ending = await webhooks.create(actorOf(request), request.body);
      if (ending.kind === 'refused') return sendFieldErrors(reply, ending.errors);
      return reply.code(201).send({ data: { ...webhookResource(ending.webhook), secret: ending.secret } });
    },
  );
}

function changeRoutes(scope: Scope, webhooks: Webhooks): void {
  scope.patch(
    '/webhooks/:webhook_id',
    {
      config: writes,
      schema: {
        tags,
        summary: 'Change a webhook',
        operationId: 'changeWebhook',
        description: 'Absent fields keep their value. What waits for a disabled webhook is given up.',
        security,
        params,
        body: webhookChanges,
        response: answers({ 200: dataOf(webhookSchema), 404: problemSchema }),
      },
    },
    async (request, reply) => {
      const id = parsePathId(request.params.webhook_id);
      if (id === null) return sendNotFound(reply);
      const ending = await webhooks.change(actorOf(request), id, request.body);
      if (ending.kind === 'missing') return sendNotFound(reply);
      if (ending.kind === 'refused') return sendFieldErrors(reply, ending.errors);
      return { data: webhookResource(ending.webhook) };
    },
  );

  scope.delete(
    '/webhooks/:webhook_id',
    {
      config: writes,
      schema: {
        tags,
        summary: 'Delete a webhook',
        operationId: 'deleteWebhook',
        description: 'With its log. What waits to be sent to it is not sent.',
        security,
        params,
        response: answers({ 204: Type.Null({ description: 'No body.' }), 404: problemSchema }),
      },
    },
    async (request, reply) => {
      const id = parsePathId(request.params.webhook_id);
      const ending = id === null ? null : await webhooks.remove(actorOf(request), id);
      return ending?.kind === 'removed' ? reply.code(204).send(null) : sendNotFound(reply);
    },
  );
}

function rotateRoute(scope: Scope, webhooks: Webhooks): void {
  scope.post(
    '/webhooks/:webhook_id/rotate-secret',
    {
      config: writes,
      schema: {
        tags,
        summary: 'Rotate the secret of a webhook',
        operationId: 'rotateWebhookSecret',
        description: `For ${OVERLAP_HOURS} hours messages carry two signatures: by the new secret, and by the one before.`,
        security,
        params,
        response: answers({ 201: dataOf(newWebhookSchema), 404: problemSchema }),
      },
    },
    async (request, reply) => {
      const id = parsePathId(request.params.webhook_id);
      const ending = id === null ? null : await webhooks.rotate(actorOf(request), id);
      if (ending?.kind !== 'made') return sendNotFound(reply);
      return reply.code(201).send({ data: { ...webhookResource(ending.webhook), secret: ending.secret } });
    },
  );
}

const webhookResource = (webhook: StoredWebhook) => ({
  ...webhook,
  failing_since: timestampOrNull(webhook.failing_since),
  old_secret_until: timestampOrNull(webhook.old_secret_until),
  created_at: timestamp(webhook.created_at),
  updated_at: timestamp(webhook.updated_at),
});
