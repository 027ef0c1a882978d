import { insertCampaign } from '../../../engine/adapters/postgres/campaigns/insert-campaign.ts';
import type { Database } from '../../../engine/adapters/postgres/database.ts';
import { storeImage } from '../../../engine/adapters/postgres/deliveries/store-image.ts';
import type { Sql } from '../../../engine/adapters/postgres/sql.ts';
import type { CampaignContent, CampaignSettings, FeedProgress } from '../../../engine/contract/campaign.ts';
import type { CampaignOptions } from '../../../engine/contract/campaign-options.ts';
import type { SubjectOf } from '../../../engine/contract/vapid-subject.ts';
import { say } from '../../../engine/kit/http/explain-with.ts';
import type { FieldErrors } from '../../../engine/kit/http/problem.ts';
import type { PublicAddresses } from '../../../engine/network/public-addresses.ts';
import type { DeliveryProofs } from '../../../engine/notification/delivery-proof.ts';
import { imageAddress } from '../../../engine/notification/images/address.ts';
import type { Image } from '../../../engine/notification/images/check-image.ts';
import { notificationOfCampaign } from '../../../engine/notification/of-campaign.ts';
import { newOrigin } from '../../../engine/notification/origin.ts';
import type { AppRole } from '../../auth/app-roles.ts';
import { type Actor, noteChange } from '../../auth/audit.ts';
import { whyNotByAuthor } from '../approvals/may-write.ts';
import { askForApproval, authorsOf, needsApproval } from '../approvals/store.ts';
import type { StoredApp } from '../apps/store.ts';
import { noSubject } from '../deliveries/create/create-delivery.ts';
import type { ReadDeliveryImage } from '../deliveries/create/delivery-image.ts';
import { type Idempotency, type KeyUse, keepAnswer, takeKey } from '../deliveries/create/idempotency.ts';
import { makeTexts, textsOf } from '../deliveries/texts/make-texts.ts';
import { missingReferences } from '../segments/references.ts';
import type { PlanRead } from './plan-schema.ts';
import { readPlan } from './read-plan.ts';
import { campaignResource } from './resource.ts';
import type { CampaignBody } from './schema.ts';
import {
  countFeeds,
  findCampaign,
  type LockedCampaign,
  lockCampaign,
  replaceCampaign,
  type StoredCampaign,
} from './store.ts';

export interface CampaignOrder {
  readonly app: StoredApp;
  readonly body: CampaignBody;
  readonly actor: Actor;
  /** On the app. */
  readonly role: AppRole;
  /** Our own address, as the client knows it: images are served there. */
  readonly base: string;
}

export type CampaignSaved =
  | { readonly kind: 'saved'; readonly campaign: StoredCampaign }
  /** `answer` is the body of the 201. */
  | { readonly kind: 'created'; readonly answer: string }
  | { readonly kind: 'refused'; readonly errors: FieldErrors }
  | { readonly kind: 'repeated'; readonly use: KeyUse }
  | { readonly kind: 'missing' }
  | { readonly kind: 'busy' };

interface Deps {
  readonly database: Database;
  readonly proofs: DeliveryProofs;
  readonly readImage: ReadDeliveryImage;
  readonly publicAddresses: Pick<PublicAddresses, 'allows'>;
  readonly subjectOf: SubjectOf;
}

interface NewCampaign {
  readonly kind: 'campaign';
  readonly name: string;
  readonly settings: CampaignSettings;
  readonly progress: StoredCampaign['progress'];
  readonly firstStepAt: Date;
  readonly images: readonly Image[];
}
type Refused = Extract<CampaignSaved, { readonly kind: 'refused' | 'busy' }>;

/** Creates and changes campaigns. Their deliveries are the engine's alone to create, step by step. */
export function createCampaigns(deps: Deps) {
  const { database } = deps;

  /** Everything that can be wrong is found now: a step has nobody to say it to. */
  async function prepare(order: CampaignOrder): Promise<NewCampaign | Refused> {
    const { app, body } = order;
    if (deps.subjectOf(app.site_domain) === null) return noSubject(app.site_domain);
    const read = readOrder(deps, order);
    if (read.kind === 'refused') return read;
    const { plan, firstStepAt, progress } = read;
    const images = await readImages(deps, order);
    if (images.kind !== 'images') return images;
    const options = optionsOf(app, body);
    const contents = (body.notifications ?? []).map((each, index) =>
      contentOf(each, images.images[index] ?? null, order.base),
    );
    const wrong = findWrongText(contents, options, app, deps.proofs);
    if (wrong !== null) return { kind: 'refused', errors: wrong };
    const settings = { contents, options, plan };
    const known = images.images.filter((image) => image !== null);
    return { kind: 'campaign', name: body.name, settings, progress, firstStepAt, images: known };
  }

  return {
    create: async (order: CampaignOrder, idempotency: Idempotency | null): Promise<CampaignSaved> => {
      const prepared = await prepare(order);
      if (prepared.kind !== 'campaign') return prepared;
      const { app, actor, body } = order;
      return database.transaction(async (sql): Promise<CampaignSaved> => {
        const missing = await missingReferences(sql, app.id, body);
        if (missing !== null) return { kind: 'refused', errors: missing };
        if (!(await hasRoom(sql, app, body))) return { kind: 'refused', errors: tooManyFeeds };
        const use = idempotency === null ? null : await takeKey(sql, app.id, idempotency);
        if (use !== null && use.kind !== 'first') return { kind: 'repeated', use };
        for (const image of prepared.images) await storeImage(sql, image);
        const held = holdBack(app, prepared);
        const written = { ...held, appId: app.id, parent: null, authors: authorsOf(actor) };
        const id = await insertCampaign(sql, written);
        await askIfHeld(sql, order, id, prepared);
        const detail = { name: body.name, kind: body.plan.kind };
        await noteChange(sql, actor, { action: 'campaign.created', subjectId: id, appId: app.id, detail });
        const answer = JSON.stringify({ data: campaignResource(await existing(sql, app, id)) });
        if (idempotency !== null) await keepAnswer(sql, app.id, idempotency.key, answer);
        return { kind: 'created', answer };
      });
    },

    replace: async (order: CampaignOrder, id: number): Promise<CampaignSaved> => {
      const prepared = await prepare(order);
      const { app, actor, body } = order;
      return database.transaction(async (sql): Promise<CampaignSaved> => {
        const locked = await lockCampaign(sql, app.id, id);
        if (locked === null) return { kind: 'missing' };
        const errors =
          (await whyNotByAuthor(sql, order, { campaign: id }, 'changes')) ?? whyNotReplaced(locked, body);
        if (errors !== null) return { kind: 'refused', errors };
        if (prepared.kind !== 'campaign') return prepared;
        const missing = await missingReferences(sql, app.id, body);
        if (missing !== null) return { kind: 'refused', errors: missing };
        for (const image of prepared.images) await storeImage(sql, image);
        const wanted = keepFeed(holdBack(app, prepared), locked);
        await replaceCampaign(sql, id, wanted, actor.userId);
        await askIfHeld(sql, order, id, prepared);
        const detail = { name: body.name };
        await noteChange(sql, actor, { action: 'campaign.updated', subjectId: id, appId: app.id, detail });
        return { kind: 'saved', campaign: await existing(sql, app, id) };
      });
    },
  };
}

/** A feed sends nothing by itself where the app asks for approval: its items wait as drafts. */
const isHeld = (app: StoredApp, { settings: { plan, options } }: NewCampaign): boolean =>
  plan.kind !== 'feed' && needsApproval(app, { lane: 'bulk', rehearsal: options.rehearsal });

/** One that waits for a second person has no step to come. */
const holdBack = (app: StoredApp, campaign: NewCampaign) =>
  isHeld(app, campaign) ? { ...campaign, firstStepAt: null } : campaign;

/** A feed that stays one knows what it has had. */
const keepFeed = (campaign: ReturnType<typeof holdBack>, { progress: { feed } }: LockedCampaign) =>
  campaign.settings.plan.kind === 'feed' && feed !== undefined
    ? { ...campaign, progress: { feed: lookedAtAnew(feed) } }
    : campaign;

async function askIfHeld(sql: Sql, { app }: CampaignOrder, id: number, campaign: NewCampaign): Promise<void> {
  const { firstStepAt } = campaign;
  if (isHeld(app, campaign)) await askForApproval(sql, app.id, { campaign: id }, { firstStepAt });
}

function readOrder({ publicAddresses }: Deps, { app, body, base }: CampaignOrder): PlanRead {
  const wrong = wrongVariants(body);
  if (wrong !== null) return { kind: 'refused', errors: wrong };
  const read = readPlan(body.plan, body.notifications?.length ?? 0, app.time_zone, new Date(), base);
  if (read.kind === 'plan' && read.plan.kind === 'feed')
    if (!publicAddresses.allows(new URL(read.plan.url).hostname))
      return { kind: 'refused', errors: say('/plan/url', 'must be on the public internet') };
  return read;
}

/**
 * What a feed has had stays known; its next look is at once, or at its schedule's next time. The pauses between looks that
 * fail start again, but the feed is not said to work again before it was read.
 */
export const lookedAtAnew = (feed: FeedProgress): FeedProgress => ({
  ...feed,
  failures: Math.min(1, feed.failures),
});

const hasStarted: FieldErrors = {
  status: ['The campaign has started and can no longer be changed. Cancel it, or create another one.'],
};

/** A feed may be changed while it runs. */
function whyNotReplaced({ settings, status }: LockedCampaign, { plan }: CampaignBody): FieldErrors | null {
  if (status === 'scheduled') return null;
  if (settings.plan.kind !== 'feed' || status !== 'running') return hasStarted;
  return plan.kind === 'feed' ? null : staysAFeed;
}

const staysAFeed: FieldErrors = say('/plan/kind', 'must stay feed: this one runs');
/** Of an organization. */
const MAX_FEEDS = 50;
const tooManyFeeds: FieldErrors = say(
  '/plan/kind',
  `must not be feed: the organization has ${MAX_FEEDS} that run. Cancel one first`,
);

async function hasRoom(sql: Sql, { id }: StoredApp, { plan }: CampaignBody): Promise<boolean> {
  return plan.kind !== 'feed' || (await countFeeds(sql, id)) < MAX_FEEDS;
}

async function existing(sql: Sql, app: StoredApp, id: number): Promise<StoredCampaign> {
  const campaign = await findCampaign(sql, app.id, id);
  if (campaign === null) throw new Error('the campaign just written is not there');
  return campaign;
}

function wrongVariants({ notifications, plan }: CampaignBody): FieldErrors | null {
  if (plan.kind === 'feed')
    return notifications === undefined
      ? null
      : say('/notifications', 'must be left out for a feed: its items say what is sent');
  if (notifications === undefined) return say('/notifications', 'is required');
  const isTest = plan.kind === 'ab_test';
  if (isTest && notifications.length < 2)
    return say('/notifications', 'must have at least 2 variants for a test');
  return !isTest && notifications.length > 1
    ? say('/notifications', 'must have one notification: variants are for tests')
    : null;
}

type ImagesRead = { readonly kind: 'images'; readonly images: readonly (Image | null)[] } | Refused;

/** One after another: a campaign takes one of the organization's permits at a time. */
async function readImages({ readImage }: Deps, { body, actor, base }: CampaignOrder): Promise<ImagesRead> {
  const images: (Image | null)[] = [];
  const { organizationId } = actor;
  for (const [index, { image_url: url }] of (body.notifications ?? []).entries()) {
    const read = await readImage({ organizationId, upload: null, url, base });
    if (read.kind === 'busy') return read;
    if (read.kind === 'refused')
      return { kind: 'refused', errors: say(`/notifications/${index}/image_url`, read.words) };
    images.push(read.kind === 'image' ? read.image : null);
  }
  return { kind: 'images', images };
}

const contentOf = (
  given: NonNullable<CampaignBody['notifications']>[number],
  image: Image | null,
  base: string,
): CampaignContent => ({
  title: given.title,
  body: given.body,
  url: given.url,
  imageUrl: image === null ? null : imageAddress(base, image),
  imageHash: image === null ? null : image.hash.toString('hex'),
  buttons: (given.action_buttons ?? []).map(({ title, url }) => ({ title, url })),
  ...textsOf(given),
  isPersonal: true,
});

const optionsOf = (app: StoredApp, body: CampaignBody): CampaignOptions => ({
  segmentId: body.segment_id ?? null,
  categoryId: body.delivery_category_id ?? null,
  ignoreCap: body.ignore_frequency_cap ?? false,
  ttlSeconds: body.ttl_seconds ?? app.default_ttl_seconds,
  requireInteraction: body.require_interaction ?? app.default_require_interaction,
  silent: app.default_silent,
  vibratePattern: app.default_vibrate_pattern,
  topic: body.topic ?? null,
  urgency: body.urgency ?? 'normal',
  ratePerMinute: body.rate_per_minute ?? null,
  rehearsal: body.rehearsal ?? false,
  ...(body.during_quiet_hours === undefined ? {} : { duringQuietHours: body.during_quiet_hours }),
  queryParams: app.default_query_params,
  site: app.site_domain,
});

/** Built as a step will build them: identifiers and proofs have one length. */
function findWrongText(
  contents: readonly CampaignContent[],
  options: CampaignOptions,
  app: StoredApp,
  proofs: DeliveryProofs,
): FieldErrors | null {
  const origin = newOrigin(proofs, app.identifier);
  for (const [index, content] of contents.entries()) {
    const { queryParams } = options;
    const made = makeTexts(
      notificationOfCampaign(content, options),
      origin,
      queryParams,
      `/notifications/${index}`,
    );
    if (made.kind === 'refused') return made.errors;
  }
  return null;
}
