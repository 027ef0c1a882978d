import type { FastifyReply, FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import { mostBytes } from '../../../engine/kit/http/most-bytes.ts';
import { sendFieldErrors, sendNotFound } from '../../../engine/kit/http/problem.ts';
import { actorOf } from '../../auth/audit.ts';
import { callerOf } from '../../auth/caller.ts';
import { appAnswers, dataOf, security } from '../../http/answers.ts';
import { parsePathId } from '../../http/fields.ts';
import { addressOf, pageOf, pageOfQuery, paginate } from '../../http/page.ts';
import type { Scope } from '../../http/scope.ts';
import type { ClientDeps } from '../../ports/deps.ts';
import { whileWaiting } from '../../reads/reads.ts';
import { MAX_TAGS } from '../../shared/tag-limits.ts';
import { appParams } from '../apps/routes.ts';
import type { StoredApp } from '../apps/store.ts';
import { appOf } from '../own-app.ts';
import { createChangeSubscription, type Target } from './change-subscription.ts';
import { subscriptionClicksOrZero } from './clicks-or-zero.ts';
import { foldTags } from './fold-tags.ts';
import { listSubscriptions } from './list.ts';
import { readSegment } from './of-segment.ts';
import { subscriptionParams } from './params.ts';
import { subscriptionResource } from './resource.ts';
import { MAX_SAME_PERSON, readSamePerson } from './same-person.ts';
import {
  type SubscriptionFilters,
  type SubscriptionResource,
  subscriptionFilters,
  subscriptionSchema,
  tagsBody,
} from './schema.ts';
import { findSubscription, type StoredSubscription } from './store.ts';

const tags = ['Subscriptions'];
const tagParams = Type.Object({
  ...subscriptionParams.properties,
  key: Type.String({ maxLength: 255, description: 'The tag’s key.', examples: ['plan'] }),
});

const listNotes = `Newest first, or by \`sort\`; of subscriptions that are equal there, the one that subscribed later counts as \
greater. All filters that are given must hold.`;

/** Dependencies that the routes share. */
interface Shared {
  readonly deps: ClientDeps;
  clicksOf(
    request: FastifyRequest,
    app: StoredApp,
    rows: readonly StoredSubscription[],
  ): Promise<ReadonlyMap<number, number>>;
  /** As a single one is answered. */
  oneOf(
    request: FastifyRequest,
    app: StoredApp,
    row: StoredSubscription,
  ): Promise<{ data: SubscriptionResource }>;
}

export function subscriptionRoutes(scope: Scope, deps: ClientDeps): void {
  const clicksOf: Shared['clicksOf'] = (request, app, rows) =>
    subscriptionClicksOrZero(deps.analytics, request.log, app.id, rows);
  const shared: Shared = {
    deps,
    clicksOf,
    oneOf: async (request, app, row) => {
      const clicks = await clicksOf(request, app, [row]);
      return { data: subscriptionResource(row, clicks.get(row.seq) ?? 0) };
    },
  };
  listRoute(scope, shared);
  readRoute(scope, shared);
  samePersonRoute(scope, shared);
  const change = createChangeSubscription(deps.database);
  deleteRoute(scope, change);
  addTagsRoute(scope, shared, change);
  removeTagRoute(scope, shared, change);
}

function listRoute(scope: Scope, { deps, clicksOf }: Shared): void {
  /** One that is sorted or filtered in an unusual way may read the whole app, and by messages sent, hold its counts. */
  const list = (
    app: StoredApp,
    { segment_id: segment, ...filters }: SubscriptionFilters,
    request: FastifyRequest,
    reply: FastifyReply,
  ) => {
    const asked = { organizationId: callerOf(request).organizationId, signal: whileWaiting(reply) };
    return deps.reads.pass(asked, async (query) => {
      const page = pageOfQuery(filters);
      const { analytics } = deps;
      const within = segment === undefined ? null : await readSegment({ query, analytics }, app, segment);
      if (within === 'missing') return null;
      const found = await query((sql) => listSubscriptions(sql, app, filters, page, within));
      const clicks = await clicksOf(request, app, found.rows);
      return { ...found, page, clicks };
    });
  };
  scope.get(
    '/apps/:identifier/subscriptions',
    {
      config: { ability: 'subscriptions:read' },
      schema: {
        tags,
        summary: 'List subscriptions',
        operationId: 'listSubscriptions',
        description: listNotes,
        security,
        params: appParams,
        querystring: subscriptionFilters,
        response: appAnswers({ 200: pageOf(subscriptionSchema) }),
      },
      preValidation: async (request) => {
        (request as FastifyRequest).query = foldTags(request.query);
      },
    },
    async (request, reply) => {
      const app = appOf(request);
      const listed = await list(app, request.query, request, reply);
      if (listed === null) return sendFieldErrors(reply, { segment_id: ['The app has no such segment.'] });
      const { rows, total, page, clicks } = listed;
      const resources = rows.map((row) => subscriptionResource(row, clicks.get(row.seq) ?? 0));
      return paginate(resources, total, page, addressOf(request, deps.config.publicBaseUrl));
    },
  );
}

function readRoute(scope: Scope, { deps, oneOf }: Shared): void {
  scope.get(
    '/apps/:identifier/subscriptions/:subscription_id',
    {
      config: { ability: 'subscriptions:read' },
      schema: {
        tags,
        summary: 'Read a subscription',
        operationId: 'getSubscription',
        security,
        params: subscriptionParams,
        response: appAnswers({ 200: dataOf(subscriptionSchema) }),
      },
    },
    async (request, reply) => {
      const app = appOf(request);
      const id = parsePathId(request.params.subscription_id);
      const found = id === null ? null : await findSubscription(deps.database, app.id, id);
      if (found === null) return sendNotFound(reply);
      return oneOf(request, app, found);
    },
  );
}

function samePersonRoute(scope: Scope, { deps, clicksOf }: Shared): void {
  scope.get(
    '/apps/:identifier/subscriptions/:subscription_id/same-person',
    {
      config: { ability: 'subscriptions:read' },
      schema: {
        tags,
        summary: 'List the person’s other subscriptions',
        operationId: 'listSamePerson',
        description: `The app’s other subscriptions that have this one’s \`user_identity\`, or one of its external ids under the same name: a person has one for each browser. Those seen last first, at most ${MAX_SAME_PERSON}.`,
        security,
        params: subscriptionParams,
        response: appAnswers({ 200: dataOf(Type.Array(subscriptionSchema)) }),
      },
    },
    async (request, reply) => {
      const app = appOf(request);
      const id = parsePathId(request.params.subscription_id);
      const found = id === null ? null : await findSubscription(deps.database, app.id, id);
      if (found === null) return sendNotFound(reply);
      const asked = { organizationId: callerOf(request).organizationId, signal: whileWaiting(reply) };
      const rows = await deps.reads.pass(asked, (query) =>
        query((sql) => readSamePerson(sql, app.id, found.id)),
      );
      const clicks = await clicksOf(request, app, rows);
      return { data: rows.map((row) => subscriptionResource(row, clicks.get(row.seq) ?? 0)) };
    },
  );
}

type Change = ReturnType<typeof createChangeSubscription>;

/** Null where the path names no number. */
function targetOf(request: FastifyRequest, subscriptionId: string): Target | null {
  const id = parsePathId(subscriptionId);
  return id === null ? null : { appId: appOf(request).id, id, actor: actorOf(request) };
}

function deleteRoute(scope: Scope, change: Change): void {
  scope.delete(
    '/apps/:identifier/subscriptions/:subscription_id',
    {
      config: { ability: 'subscriptions:write' },
      schema: {
        tags,
        summary: 'Delete a subscription',
        operationId: 'deleteSubscription',
        description:
          'Permanent: its messages stay counted in deliveries, without a link to the subscriber. Its browser may subscribe again, as a new subscription.',
        security,
        params: subscriptionParams,
        response: appAnswers({ 204: Type.Null() }),
      },
    },
    async (request, reply) => {
      const target = targetOf(request, request.params.subscription_id);
      const ending = target === null ? null : await change.remove(target);
      return ending === null ? sendNotFound(reply) : reply.code(204).send(null);
    },
  );
}

function addTagsRoute(scope: Scope, shared: Shared, change: Change): void {
  scope.post(
    '/apps/:identifier/subscriptions/:subscription_id/tags',
    {
      bodyLimit: mostBytes(tagsBody),
      config: { ability: 'subscriptions:write' },
      schema: {
        tags,
        summary: 'Add or overwrite tags',
        operationId: 'tagSubscription',
        description: `At most ${MAX_TAGS} tags in all.`,
        security,
        params: subscriptionParams,
        body: tagsBody,
        response: appAnswers({ 200: dataOf(subscriptionSchema) }),
      },
    },
    async (request, reply) => {
      const target = targetOf(request, request.params.subscription_id);
      if (target === null) return sendNotFound(reply);
      const ending = await change.addTags(target, request.body.tags);
      if (ending === null) return sendNotFound(reply);
      if (ending === 'too-many') {
        return sendFieldErrors(reply, { tags: [`A subscription has at most ${MAX_TAGS} tags in all.`] });
      }
      return shared.oneOf(request, appOf(request), ending);
    },
  );
}

function removeTagRoute(scope: Scope, shared: Shared, change: Change): void {
  scope.delete(
    '/apps/:identifier/subscriptions/:subscription_id/tags/:key',
    {
      config: { ability: 'subscriptions:write' },
      schema: {
        tags,
        summary: 'Remove a tag',
        operationId: 'untagSubscription',
        security,
        params: tagParams,
        response: appAnswers({ 200: dataOf(subscriptionSchema) }),
      },
    },
    async (request, reply) => {
      const target = targetOf(request, request.params.subscription_id);
      const changed = target === null ? null : await change.removeTag(target, request.params.key);
      if (changed === null) return sendNotFound(reply);
      return shared.oneOf(request, appOf(request), changed);
    },
  );
}
