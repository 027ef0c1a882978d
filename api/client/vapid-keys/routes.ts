import type { FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import { createSealer } from '../../../engine/adapters/postgres/sealed-secret.ts';
import { refusalSchema, sendNotFound } from '../../../engine/kit/http/problem.ts';
import { actorOf } from '../../auth/audit.ts';
import { callerOf } from '../../auth/caller.ts';
import { appAnswers, dataOf, security } from '../../http/answers.ts';
import { timestamp, timestampOrNull } from '../../http/fields.ts';
import type { Scope } from '../../http/scope.ts';
import type { Using } from '../../ports/deps.ts';
import { whileWaiting } from '../../reads/reads.ts';
import { appParams } from '../apps/routes.ts';
import { appOf } from '../own-app.ts';
import { type ChangeBy, createVapidKeys } from './rotate-key.ts';
import { type VapidKeyResource, vapidKeySchema } from './schema.ts';
import { listVapidKeys, type StoredVapidKey, vapidKeyId } from './store.ts';

const tags = ['Apps'];

const rotateDescription = `For admins. Makes a new VAPID key pair the app's active one. The one before it is \`retiring\`: what was
subscribed with it is still sent to, and each browser moves to the new key when the site's page next runs in it. When
few are left on the old key, end it. No body is sent. 422 while another rotation is under way.`;

const keyParams = Type.Object({
  ...appParams.properties,
  key_id: Type.String({ maxLength: 255, description: 'The key’s id.', examples: ['5f0c1b2a9d3e4f60'] }),
});

export function vapidKeyRoutes(
  scope: Scope,
  deps: Using<'database' | 'masterKey' | 'oldMasterKeys' | 'reads'>,
): void {
  const { database } = deps;
  const keys = createVapidKeys(database, createSealer(deps.masterKey, deps.oldMasterKeys));

  scope.get(
    '/apps/:identifier/vapid-keys',
    {
      config: { ability: 'apps:read' },
      schema: {
        tags,
        summary: 'List an app’s VAPID keys',
        operationId: 'listVapidKeys',
        description: 'The active key first, then those before it. The private halves never leave the engine.',
        security,
        params: appParams,
        response: appAnswers({ 200: dataOf(Type.Array(vapidKeySchema)) }),
      },
    },
    async (request, reply) => {
      const { organizationId } = callerOf(request);
      const app = appOf(request);
      // While a key retires, the subscriptions that are still on it are counted.
      const asked = { organizationId, signal: whileWaiting(reply) };
      const listed = await deps.reads.pass(asked, (query) => query((sql) => listVapidKeys(sql, app.id)));
      return { data: listed.map(keyResource) };
    },
  );

  scope.post(
    '/apps/:identifier/vapid-keys',
    {
      config: { ability: 'apps:write', role: 'admin' },
      schema: {
        tags,
        summary: 'Start a rotation of an app’s VAPID key',
        operationId: 'rotateVapidKey',
        description: rotateDescription,
        security,
        params: appParams,
        response: { ...appAnswers({ 201: dataOf(vapidKeySchema) }), 422: refusalSchema },
      },
    },
    async (request, reply) => {
      const ending = await keys.rotate(changeBy(request, request.params.identifier));
      if (ending.kind === 'missing') return sendNotFound(reply);
      if (ending.kind === 'under-way') return reply.code(422).send({ message: underWay });
      return reply.code(201).send({ data: keyResource(ending.key) });
    },
  );

  scope.delete(
    '/apps/:identifier/vapid-keys/:key_id',
    {
      config: { ability: 'apps:write', role: 'admin' },
      schema: {
        tags,
        summary: 'End a retiring VAPID key',
        operationId: 'endVapidKey',
        description:
          'For admins. Ends the rotation: subscriptions that are still on the key are unsubscribed in the background, and then its private half is thrown away. The active key cannot be ended: 422.',
        security,
        params: keyParams,
        response: { ...appAnswers({ 204: Type.Null() }), 422: refusalSchema },
      },
    },
    async (request, reply) => {
      const { identifier, key_id: keyId } = request.params;
      const ending = await keys.end(changeBy(request, identifier), keyId);
      if (ending === 'missing') return sendNotFound(reply);
      if (ending === 'active') return reply.code(422).send({ message: isActive });
      return reply.code(204).send(null);
    },
  );
}

const underWay = 'A rotation is under way: end the retiring key first, and wait until it is retired.';
const isActive = 'The active key cannot be ended: start a rotation first.';

const changeBy = (request: FastifyRequest, identifier: string): ChangeBy => ({
  organizationId: callerOf(request).organizationId,
  identifier,
  actor: actorOf(request),
});

const keyResource = (key: StoredVapidKey): VapidKeyResource => ({
  id: vapidKeyId(key.public_key),
  public_key: key.public_key,
  state: key.state,
  subscriptions: key.subscriptions,
  created_at: timestamp(key.created_at),
  ended_at: timestampOrNull(key.ended_at),
});
