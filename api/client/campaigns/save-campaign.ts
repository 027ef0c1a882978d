import { insertCampaign } from '../../../engine/adapters/postgres/campaigns/insert-campaign.ts';
import { storeImage } from '../../../engine/adapters/postgres/deliveries/store-image.ts';
import type { Sql } from '../../../engine/adapters/postgres/sql.ts';
import type {
  CampaignContent,
  CampaignPlan,
  CampaignSettings,
  FeedProgress,
} from '../../../engine/contract/campaign.ts';
import type { CampaignOptions } from '../../../engine/contract/campaign-options.ts';
import { say } from '../../../engine/kit/http/explain-with.ts';
import type { FieldErrors } from '../../../engine/kit/http/problem.ts';
import type { PublicAddresses } from '../../../engine/network/public-addresses.ts';
import type { DeliveryProofs } from '../../../engine/notification/delivery-proof.ts';
import type { Image } from '../../../engine/notification/images/check-image.ts';
import { notificationOfCampaign } from '../../../engine/notification/of-campaign.ts';
import { newOrigin } from '../../../engine/notification/origin.ts';
import { type Change, noteChange } from '../../auth/audit.ts';
import { whyNotByAuthor } from '../approvals/may-write.ts';
import { askForApproval, authorsOf, needsApproval } from '../approvals/store.ts';
import type { StoredApp } from '../apps/store.ts';
import { type Created, createOnce } from '../deliveries/create/idempotency.ts';
import type { Refused } from '../deliveries/refused.ts';
import type { Refusal } from '../deliveries/send-refusal.ts';
import { makeTexts, textsOf } from '../deliveries/texts/make-texts.ts';
import type { Order, WriteDeps } from '../deliveries/write/order.ts';
import { type PicturesKnown, type PicturesRead, readGivenPictures } from '../deliveries/write/pictures.ts';
import { faceOf, whyNoSubject } from '../deliveries/write/words.ts';
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

export interface CampaignOrder extends Order {
  readonly body: CampaignBody;
}

export type CampaignSaved = { readonly kind: 'saved'; readonly campaign: StoredCampaign } | Created | Refusal;

interface Deps extends WriteDeps {
  readonly publicAddresses: Pick<PublicAddresses, 'allows'>;
}

interface NewCampaign {
  readonly kind: 'campaign';
  readonly name: string;
  readonly settings: CampaignSettings;
  readonly progress: StoredCampaign['progress'];
  readonly firstStepAt: Date;
  readonly images: readonly Image[];
}
type NotPrepared = Refused | { readonly kind: 'busy' };

/** Creates and changes campaigns. Their deliveries are the engine's alone to create, step by step. */
export function createCampaigns(deps: Deps) {
  const { database } = deps;

  /** Everything that can be wrong is found now: a step has nobody to say it to. */
  async function prepare(order: CampaignOrder): Promise<NewCampaign | NotPrepared> {
    const { app, body } = order;
    const noSubject = whyNoSubject(deps, app);
    if (noSubject !== null) return noSubject;
    const read = readOrder(deps, order);
    if (read.kind === 'refused') return read;
    const { firstStepAt, progress } = read;
    const pictures = await readPictures(deps, order);
    if (pictures.kind !== 'pictures') return pictures;
    const options = optionsOf(app, body);
    const { contents } = pictures;
    const wrong = findWrongText(contents, options, order, deps.proofs);
    if (wrong !== null) return { kind: 'refused', errors: wrong };
    const plan = withIcon(read.plan, pictures.ofItems);
    const settings = { contents, options, plan };
    return { kind: 'campaign', name: body.name, settings, progress, firstStepAt, images: pictures.images };
  }

  return {
    create: async (order: CampaignOrder): Promise<CampaignSaved> => {
      const prepared = await prepare(order);
      if (prepared.kind !== 'campaign') return prepared;
      const { app, actor, body } = order;
      return database.transaction(async (sql): Promise<CampaignSaved> => {
        const missing = await missingReferences(sql, app.id, body);
        if (missing !== null) return { kind: 'refused', errors: missing };
        if (!(await hasRoom(sql, app, body))) return { kind: 'refused', errors: tooManyFeeds };
        return createOnce(sql, order, async () => {
          const held = holdBack(app, prepared);
          const written = { ...held, appId: app.id, parent: null, authors: authorsOf(actor) };
          const note = {
            action: 'campaign.created',
            detail: { name: body.name, kind: body.plan.kind },
          } as const;
          return campaignResource(
            await write(sql, order, prepared, note, () => insertCampaign(sql, written)),
          );
        });
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
        const wanted = keepFeed(holdBack(app, prepared), locked);
        const note = { action: 'campaign.updated', detail: { name: body.name } } as const;
        const campaign = await write(sql, order, prepared, note, async () => {
          await replaceCampaign(sql, id, wanted, actor.userId);
          return id;
        });
        return { kind: 'saved', campaign };
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
    ? { ...campaign, progress: { feed: toCheckAnew(feed) } }
    : campaign;

/** In the transaction: its images, its row, whom it waits for, and the audit log. */
async function write(
  sql: Sql,
  { app, actor }: CampaignOrder,
  campaign: NewCampaign,
  note: Pick<Change, 'action' | 'detail'>,
  store: () => Promise<number>,
): Promise<StoredCampaign> {
  const { images, firstStepAt } = campaign;
  for (const image of images) await storeImage(sql, image);
  const id = await store();
  if (isHeld(app, campaign)) await askForApproval(sql, app.id, { campaign: id }, { firstStepAt });
  await noteChange(sql, actor, { ...note, subjectId: id, appId: app.id });
  const stored = await findCampaign(sql, app.id, id);
  if (stored === null) throw new Error('the campaign just written is not there');
  return stored;
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
 * What a feed has had stays known; its next check is at once, or at its schedule's next time. The pauses between checks that
 * fail start again, but the feed is not said to work again before it was read.
 */
export const toCheckAnew = (feed: FeedProgress): FeedProgress => ({
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

interface AllPicturesRead {
  readonly kind: 'pictures';
  /** To be stored. */
  readonly images: readonly Image[];
  /** The notifications with them. */
  readonly contents: readonly CampaignContent[];
  /** Where the icon of a feed's items is served; null: they have the app's. */
  readonly ofItems: string | null;
}

async function readPictures(deps: Deps, order: CampaignOrder): Promise<AllPicturesRead | NotPrepared> {
  const { notifications = [], plan } = order.body;
  const known: PicturesKnown = new Map();
  const contents: CampaignContent[] = [];
  for (const [index, given] of notifications.entries()) {
    const read = await readGivenPictures(deps, order, given, { path: `/notifications/${index}`, known });
    if (read.kind !== 'read') return read;
    contents.push(contentOf(given, read));
  }
  const ofItems = plan.kind === 'feed' ? plan.mapping?.icon_url : undefined;
  const read = await readGivenPictures(deps, order, { icon_url: ofItems }, { path: '/plan/mapping', known });
  if (read.kind !== 'read') return read;
  return { kind: 'pictures', images: [...known.values()], contents, ofItems: read.picture.iconUrl };
}

const withIcon = (plan: CampaignPlan, iconUrl: string | null): CampaignPlan =>
  plan.kind === 'feed' ? { ...plan, mapping: { ...plan.mapping, iconUrl } } : plan;

const contentOf = (
  given: NonNullable<CampaignBody['notifications']>[number],
  { picture: { imageHash, imageUrl, iconUrl }, icons }: PicturesRead,
): CampaignContent => ({
  title: given.title,
  body: given.body,
  url: given.url,
  imageUrl,
  imageHash: imageHash === null ? null : Buffer.from(imageHash).toString('hex'),
  iconUrl,
  buttons: (given.action_buttons ?? []).map(({ title, url }) => ({ title, url })),
  ...textsOf(given, icons),
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
  { app, base }: Pick<Order, 'app' | 'base'>,
  proofs: DeliveryProofs,
): FieldErrors | null {
  const origin = newOrigin(proofs, app.identifier);
  for (const [index, content] of contents.entries()) {
    const { queryParams } = options;
    const made = makeTexts(
      notificationOfCampaign(content, options, faceOf(app, base)),
      origin,
      queryParams,
      `/notifications/${index}`,
    );
    if (made.kind === 'refused') return made.errors;
  }
  return null;
}
