import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Static } from 'typebox';
import type { OrganizationId } from '../../../engine/contract/ids.ts';
import { sendUnavailable } from '../../../engine/kit/http/errors.ts';
import { sendFieldErrors, sendNotFound } from '../../../engine/kit/http/problem.ts';
import { actorOf } from '../../auth/audit.ts';
import { callerOf } from '../../auth/caller.ts';
import { appAnswers, dataOf, security } from '../../http/answers.ts';
import { parsePathId } from '../../http/fields.ts';
import { addressOf, pageOf, pageOfQuery, paginate } from '../../http/page.ts';
import type { Scope } from '../../http/scope.ts';
import type { ClientDeps, Using } from '../../ports/deps.ts';
import { whileWaiting } from '../../reads/reads.ts';
import { clicksOrNull } from '../analytics/clicks-or-null.ts';
import { appParams } from '../apps/routes.ts';
import type { StoredApp } from '../apps/store.ts';
import { idempotencyHeaders, sendAnswer } from '../deliveries/create/idempotency.ts';
import { sendRefusal } from '../deliveries/send-refusal.ts';
import { createWriteDeps, type DepsOfWrite, orderOf } from '../deliveries/write/order.ts';
import { appOf, appRoleOf } from '../own-app.ts';
import { readDetail } from './detail.ts';
import { type CampaignEnded, createEndCampaign } from './end-campaign.ts';
import { feedRoutes } from './feed-routes.ts';
import { campaignParams } from './params.ts';
import type { GivenPlan } from './plan-schema.ts';
import { previewCampaign } from './preview.ts';
import { createPreviewFeed } from './preview-feed.ts';
import { readPlan } from './read-plan.ts';
import { createReaderTimes } from './reader-times.ts';
import { campaignResource } from './resource.ts';
import { type CampaignSaved, createCampaigns } from './save-campaign.ts';
import {
  campaignBody,
  campaignDetailSchema,
  campaignFilters,
  campaignForecast,
  campaignPreviewBody,
  campaignSchema,
  winnerBody,
} from './schema.ts';
import { findCampaign, listCampaigns } from './store.ts';

const tags = ['Campaigns'];
const idOf = (request: FastifyRequest): number | null =>
  parsePathId((request.params as Static<typeof campaignParams>).campaign_id);

export function campaignRoutes(scope: Scope, deps: ClientDeps): void {
  readRoutes(scope, deps);
  saveRoutes(scope, deps);
  previewRoute(scope, deps);
  endRoutes(scope, deps);
  feedRoutes(scope, deps);
}

function readRoutes(scope: Scope, deps: Using<'database' | 'reads' | 'analytics' | 'config'>): void {
  const { database, analytics, config } = deps;
  const readerTimes = createReaderTimes(deps);
  const timesFor = (request: FastifyRequest) => readerTimes(callerOf(request).organizationId, appOf(request));

  scope.get(
    '/apps/:identifier/campaigns',
    {
      config: { ability: 'deliveries:read' },
      schema: {
        tags,
        summary: 'List campaigns',
        operationId: 'listCampaigns',
        description: 'Newest first.',
        security,
        params: appParams,
        querystring: campaignFilters,
        response: appAnswers({ 200: pageOf(campaignSchema) }),
      },
    },
    async (request) => {
      const page = pageOfQuery(request.query);
      const { rows, total } = await listCampaigns(database, appOf(request).id, request.query, page);
      const timesOf = timesFor(request);
      const shown = await Promise.all(rows.map(async (row) => campaignResource(row, await timesOf(row))));
      return paginate(shown, total, page, addressOf(request, config.publicBaseUrl));
    },
  );

  scope.get(
    '/apps/:identifier/campaigns/:campaign_id',
    {
      config: { ability: 'deliveries:read' },
      schema: {
        tags,
        summary: 'Read a campaign',
        operationId: 'getCampaign',
        description: 'Its deliveries are in the list of deliveries, with `campaign_id` as the filter.',
        security,
        params: campaignParams,
        response: appAnswers({ 200: dataOf(campaignDetailSchema) }),
      },
    },
    async (request, reply) => {
      const { id: appId } = appOf(request);
      const id = idOf(request);
      const campaign = id === null ? null : await findCampaign(database, appId, id);
      if (campaign === null) return sendNotFound(reply);
      const clicks = (deliveries: Parameters<typeof clicksOrNull>[3]) =>
        clicksOrNull(analytics, request.log, appId, deliveries);
      return { data: await readDetail(database, campaign, clicks, await timesFor(request)(campaign)) };
    },
  );
}

const createNotes = `A campaign is a set of ordinary deliveries that Broadside creates step by step: the variants of a test and
then the winner, one for each instant of a local time, one for each firing of a schedule, or one for each new item of a
feed. No reader is in two of a
test's, nor of a local time's. Campaigns are sent in the lane \`bulk\`.`;

function saveRoutes(scope: Scope, deps: DepsOfWrite): void {
  const { publicAddresses } = deps;
  const campaigns = createCampaigns({ ...createWriteDeps(deps), publicAddresses });
  const askedBy = (request: FastifyRequest<{ Body: Static<typeof campaignBody> }>) => ({
    ...orderOf(request, deps.config),
    body: request.body,
  });

  scope.post(
    '/apps/:identifier/campaigns',
    {
      config: { ability: 'deliveries:write' },
      schema: {
        tags,
        summary: 'Create a campaign',
        operationId: 'createCampaign',
        description: createNotes,
        security,
        params: appParams,
        headers: idempotencyHeaders,
        body: campaignBody,
        response: appAnswers({ 201: dataOf(campaignSchema) }),
      },
    },
    async (request, reply) => {
      if (sendsByItself(request)) return sendRefusal(reply, { kind: 'forbidden', message: FEEDS });
      return sendSaved(reply, await campaigns.create(askedBy(request)));
    },
  );

  scope.put(
    '/apps/:identifier/campaigns/:campaign_id',
    {
      config: { ability: 'deliveries:write' },
      schema: {
        tags,
        summary: 'Change a campaign',
        operationId: 'replaceCampaign',
        description:
          'The body contains the whole campaign. Answers 422 once it has started, unless it is a feed: that may be changed ' +
          'while it runs, and is polled at once. An author changes only what they wrote and nobody has approved.',
        security,
        params: campaignParams,
        body: campaignBody,
        response: appAnswers({ 200: dataOf(campaignSchema) }),
      },
    },
    async (request, reply) => {
      const id = idOf(request);
      if (id === null) return sendNotFound(reply);
      if (sendsByItself(request)) return sendRefusal(reply, { kind: 'forbidden', message: FEEDS });
      return sendSaved(reply, await campaigns.replace(askedBy(request), id));
    },
  );
}

/** A feed waits for nobody, so it is not an author's. */
const sendsByItself = (request: FastifyRequest<{ Body: Static<typeof campaignBody> }>): boolean =>
  request.body.plan.kind === 'feed' && appRoleOf(request) === 'author';
const FEEDS =
  'A feed sends by itself, so it requires ability deliveries:write and role approver on this app; your role is author.';

function sendSaved(reply: FastifyReply, ending: CampaignSaved) {
  switch (ending.kind) {
    case 'created':
      return sendAnswer(reply, ending.answer);
    case 'saved':
      return { data: campaignResource(ending.campaign) };
    default:
      return sendRefusal(reply, ending);
  }
}

/** As for a segment's count. */
const COUNT_LIMIT_MS = 5_000;

function previewRoute(
  scope: Scope,
  { reads, analytics, publicAddresses }: Using<'reads' | 'analytics' | 'publicAddresses'>,
): void {
  const previewFeed = createPreviewFeed(publicAddresses);

  /** Null: the plan has none. Before the count, which holds a connection. */
  async function readFeed(given: GivenPlan, app: StoredApp, organizationId: OrganizationId) {
    if (given.kind !== 'feed') return null;
    const read = readPlan(given, 0, app.time_zone, new Date(), '');
    if (read.kind === 'refused' || read.plan.kind !== 'feed') return read.kind === 'refused' ? read : null;
    return previewFeed(read.plan, organizationId);
  }

  scope.post(
    '/apps/:identifier/campaigns/preview',
    {
      config: { ability: 'deliveries:read' },
      schema: {
        tags,
        summary: 'Preview a campaign',
        operationId: 'previewCampaign',
        description:
          'What a campaign with this plan would create, when, and for how many; of a feed, which is read now, what its next ' +
          'notification would say. Counts that take longer than 5 seconds ' +
          'are cancelled with 503.',
        security,
        params: appParams,
        body: campaignPreviewBody,
        response: appAnswers({ 200: dataOf(campaignForecast) }),
      },
    },
    async (request, reply) => {
      const { organizationId } = callerOf(request);
      const app = appOf(request);
      const feed = await readFeed(request.body.plan, app, organizationId);
      if (feed?.kind === 'refused') return sendFieldErrors(reply, feed.errors);
      if (feed?.kind === 'busy') return sendUnavailable(reply);
      const asked = { organizationId, signal: whileWaiting(reply), limitMs: COUNT_LIMIT_MS };
      const ending = await reads.pass(asked, (query) =>
        previewCampaign({ query, analytics }, app, request.body, new Date(), feed?.feed ?? null),
      );
      if (ending.kind === 'refused') return sendFieldErrors(reply, ending.errors);
      return { data: ending.forecast };
    },
  );
}

function endRoutes(scope: Scope, { database, wakeRelay }: Using<'database' | 'wakeRelay'>): void {
  const end = createEndCampaign(database);
  scope.post(
    '/apps/:identifier/campaigns/:campaign_id/cancel',
    {
      config: { ability: 'deliveries:write' },
      schema: {
        tags,
        summary: 'Cancel a campaign',
        operationId: 'cancelCampaign',
        description:
          'It creates nothing any more, and its deliveries that are not over are cancelled. An author cancels only what ' +
          'they wrote and nobody has approved. No body is sent.',
        security,
        params: campaignParams,
        response: appAnswers({ 200: dataOf(campaignSchema) }),
      },
    },
    async (request, reply) => {
      const id = idOf(request);
      if (id === null) return sendNotFound(reply);
      return sendEnded(reply, await end.cancel(actorOf(request), appRoleOf(request), appOf(request).id, id));
    },
  );

  scope.post(
    '/apps/:identifier/campaigns/:campaign_id/winner',
    {
      config: { ability: 'deliveries:write', role: 'approver' },
      schema: {
        tags,
        summary: 'Name the winner of a test',
        operationId: 'decideCampaign',
        description:
          'The variant goes to everybody who got none. Also before a test that is decided by clicks has its time; once.',
        security,
        params: campaignParams,
        body: winnerBody,
        response: appAnswers({ 200: dataOf(campaignSchema) }),
      },
    },
    async (request, reply) => {
      const id = idOf(request);
      if (id === null) return sendNotFound(reply);
      const { variant } = request.body;
      const ending = await end.decide(actorOf(request), appOf(request).id, id, variant);
      if (ending.kind === 'done') wakeRelay();
      return sendEnded(reply, ending);
    },
  );
}

function sendEnded(reply: FastifyReply, ending: CampaignEnded) {
  if (ending.kind === 'missing') return sendNotFound(reply);
  if (ending.kind === 'refused') return sendFieldErrors(reply, ending.errors);
  return { data: campaignResource(ending.campaign) };
}
