import type { FastifyReply, FastifyRequest } from 'fastify';
import { type Static, Type } from 'typebox';
import { sendFieldErrors, sendNotFound } from '../../../engine/kit/http/problem.ts';
import { createDeliveryProofs } from '../../../engine/notification/delivery-proof.ts';
import { actorOf } from '../../auth/audit.ts';
import { appAnswers, dataOf, security } from '../../http/answers.ts';
import { parsePathId } from '../../http/fields.ts';
import { addressOf, pageOf, pageOfQuery, paginate } from '../../http/page.ts';
import type { Scope } from '../../http/scope.ts';
import type { ClientDeps, Using } from '../../ports/deps.ts';
import { orderOf } from '../deliveries/write/order.ts';
import { appOf } from '../own-app.ts';
import { createDecideItem, feedItemResource, type ItemDecided, listFeedItems } from './feed-items.ts';
import { approveBody, feedItemFilters, feedItemSchema } from './feed-schema.ts';
import { campaignParams } from './params.ts';
import { findCampaign } from './store.ts';

const tags = ['Campaigns'];
const itemParams = Type.Object({
  ...campaignParams.properties,
  item_id: Type.String({ maxLength: 255, description: 'The item’s id.', examples: ['71'] }),
});

/** Null: they name nothing. */
function idsOf(request: FastifyRequest): { readonly campaign: number; readonly item: number } | null {
  const params = request.params as Static<typeof itemParams>;
  const [campaign, item] = [parsePathId(params.campaign_id), parsePathId(params.item_id)];
  return campaign === null || item === null ? null : { campaign, item };
}

/** What was made of a feed's items, and the decisions about drafts. */
export function feedRoutes(scope: Scope, deps: ClientDeps): void {
  listRoute(scope, deps);
  decideRoutes(scope, deps);
}

function listRoute(scope: Scope, { database, config }: Using<'database' | 'config'>): void {
  scope.get(
    '/apps/:identifier/campaigns/:campaign_id/items',
    {
      config: { ability: 'deliveries:read' },
      schema: {
        tags,
        summary: 'List the items of a feed',
        operationId: 'listFeedItems',
        description:
          'What was sent of a feed, and what waits as a draft: newest first, the newest thousand of a feed. A campaign ' +
          'that is not a feed has none.',
        security,
        params: campaignParams,
        querystring: feedItemFilters,
        response: appAnswers({ 200: pageOf(feedItemSchema) }),
      },
    },
    async (request, reply) => {
      const { id: appId } = appOf(request);
      const id = parsePathId(request.params.campaign_id);
      if (id === null || (await findCampaign(database, appId, id)) === null) return sendNotFound(reply);
      const page = pageOfQuery(request.query);
      const { rows, total } = await listFeedItems(database, appId, id, request.query, page);
      return paginate(rows.map(feedItemResource), total, page, addressOf(request, config.publicBaseUrl));
    },
  );
}

function decideRoutes(
  scope: Scope,
  { database, masterKey, wakeRelay, config }: Using<'database' | 'masterKey' | 'wakeRelay' | 'config'>,
): void {
  const decide = createDecideItem({ database, proofs: createDeliveryProofs(masterKey) });
  scope.post(
    '/apps/:identifier/campaigns/:campaign_id/items/:item_id/approve',
    {
      config: { ability: 'deliveries:write', role: 'approver' },
      schema: {
        tags,
        summary: 'Approve a draft',
        operationId: 'approveFeedItem',
        description:
          'Sends it, with another title or text if they are given. Approved again, it is sent no second time. Where the app ' +
          'asks for approvals, whoever made or changed the feed is refused with 422.',
        security,
        params: itemParams,
        body: approveBody,
        response: appAnswers({ 200: dataOf(feedItemSchema) }),
      },
    },
    async (request, reply) => {
      const ids = idsOf(request);
      if (ids === null) return sendNotFound(reply);
      const ending = await decide.approve(orderOf(request, config), ids.campaign, ids.item, request.body);
      if (ending.kind === 'done') wakeRelay();
      return sendDecided(reply, ending);
    },
  );

  scope.post(
    '/apps/:identifier/campaigns/:campaign_id/items/:item_id/dismiss',
    {
      config: { ability: 'deliveries:write', role: 'approver' },
      schema: {
        tags,
        summary: 'Dismiss a draft',
        operationId: 'dismissFeedItem',
        description: 'It is never sent. No body is sent.',
        security,
        params: itemParams,
        response: appAnswers({ 200: dataOf(feedItemSchema) }),
      },
    },
    async (request, reply) => {
      const ids = idsOf(request);
      if (ids === null) return sendNotFound(reply);
      return sendDecided(
        reply,
        await decide.dismiss(actorOf(request), appOf(request), ids.campaign, ids.item),
      );
    },
  );
}

function sendDecided(reply: FastifyReply, ending: ItemDecided) {
  if (ending.kind === 'missing') return sendNotFound(reply);
  if (ending.kind === 'refused') return sendFieldErrors(reply, ending.errors);
  return { data: feedItemResource(ending.item) };
}
