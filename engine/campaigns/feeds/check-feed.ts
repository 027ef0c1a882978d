import type {
  CampaignContent,
  CampaignMove,
  DueCampaign,
  FeedImage,
  FeedNotification,
  FeedPlan,
  FeedProgress,
} from '../../contract/campaign.ts';
import { type Choice, chooseItems } from '../../notification/feeds/choose-items.ts';
import type { FeedItem } from '../../notification/feeds/feed.ts';
import type { FetchFeed } from '../../notification/feeds/fetch-feed.ts';
import {
  defaultDigest,
  mapDigest,
  mapItem,
  type NotificationFields,
} from '../../notification/feeds/map-item.ts';
import { nextCheckMs } from '../../notification/feeds/next-check.ts';
import type { FeedRead, ReadFeed } from '../../notification/feeds/read-feed.ts';
import { MAX_PLAINTEXT_BYTES, type NotificationOrigin } from '../../notification/notification.ts';
import { notificationOfCampaign } from '../../notification/of-campaign.ts';
import { buildTexts } from '../../notification/texts.ts';
import type { CampaignStore, DeliveryIdentity } from '../ports.ts';
import { nextFiring } from '../rules/firings.ts';

const MINUTE_MS = 60_000;
/** Items that are older by their own date are never sent, whenever they come up. */
const MAX_AGE_HOURS = 48;
/** A digest may sum up a month. */
const MAX_DIGEST_AGE_HOURS = 32 * 24;
/** A digest that is later than this waits for the next firing. */
const DIGEST_GRACE_MS = 60 * MINUTE_MS;
const IMAGES_AT_ONCE = 4;
/** Of one check. */
const MAX_IMAGE_BYTES = 8 * 1024 * 1024;

/** Where an image that was fetched and checked is served. Null: there is none to show. */
export type ReadItemImage = (
  url: string,
  base: string,
) => Promise<{ readonly image: FeedImage; readonly url: string } | null>;

type Picture = NonNullable<Awaited<ReturnType<ReadItemImage>>>;
type Feed = Extract<FeedRead, { readonly kind: 'parsed' }>;

export interface FeedCheckDeps {
  readonly store: Pick<CampaignStore, 'readFeed'>;
  readonly fetchFeed: FetchFeed;
  readonly readFeed: ReadFeed;
  readonly readImage: ReadItemImage;
  readonly identify: (app: string) => NotificationOrigin;
}

export interface CheckedFeed {
  readonly move: CampaignMove;
  readonly identities: readonly DeliveryIdentity[];
}

const neverRead: FeedProgress = {
  ...{ url: null, title: null, etag: null, lastModified: null },
  ...{ lookedAt: '', readAt: null, failures: 0, failingSince: null, trouble: null },
};

/** Everything of a check but its transaction: what the feed holds, what is new, and what is made of it. */
export async function checkFeed(
  campaign: DueCampaign,
  plan: FeedPlan,
  deps: FeedCheckDeps,
): Promise<CheckedFeed> {
  const before = campaign.progress.feed ?? neverRead;
  const isFirstCheck = before.url !== plan.url;
  const waiting = isFirstCheck ? null : waitForDigest(campaign, plan);
  if (waiting !== null) return { move: waiting, identities: [] };
  const { etag, lastModified } = isFirstCheck ? neverRead : before;
  const fetched = await deps.fetchFeed({ url: plan.url, etag, lastModified });
  if (fetched.kind === 'failed') return failed(campaign, plan, fetched.words);
  const { now } = campaign;
  const read: FeedProgress = {
    ...before,
    ...{ url: plan.url, lookedAt: now.toISOString(), readAt: now.toISOString() },
    ...{ failures: 0, failingSince: null, trouble: null },
  };
  if (fetched.kind === 'unchanged') return { move: moveTo(campaign, plan, read), identities: [] };
  const parsed = await deps.readFeed({ ...fetched, filter: plan.filter });
  if (parsed.kind === 'fault') return failed(campaign, plan, parsed.words);
  const keys = [...new Set(parsed.items.flatMap(({ knownBy, remembered }) => [...knownBy, ...remembered]))];
  const { seen, lastHour } = await deps.store.readFeed(campaign.id, keys);
  const choice = chooseItems({
    ...{ items: parsed.items, seen, isFirstCheck, now },
    ...limitsOf(plan, lastHour),
  });
  const notifications = await notificationsOf(campaign, plan, { choice, feed: parsed }, deps);
  const isSent = isAutomatic(campaign, plan);
  const items = notifications.map(({ item }) => item);
  const validators = choice.waits
    ? { etag: null, lastModified: null }
    : { etag: fetched.etag, lastModified: fetched.lastModified };
  return {
    move: {
      ...moveTo(campaign, plan, { ...read, ...validators, title: parsed.title }),
      deliveries: isSent ? items.map(({ role, content }) => ({ role, content, part: null })) : [],
      feed: { seen: choice.seenNow, items },
    },
    identities: isSent ? notifications.map(({ identity }) => identity) : [],
  };
}

/** A digest is one notification: of a single item that item's own, of several a summary. */
const limitsOf = ({ digest, perHour, overflow }: FeedPlan, sentLastHour: number) =>
  digest === null
    ? {
        ...{ perHour, sentLastHour, maxAgeHours: MAX_AGE_HOURS },
        overflow: overflow === 'summary' ? ('digest' as const) : ('drop' as const),
      }
    : { perHour: 1, sentLastHour: 0, maxAgeHours: MAX_DIGEST_AGE_HOURS, overflow: 'digest' as const };

/** Null: it is time to check. */
function waitForDigest(campaign: DueCampaign, plan: FeedPlan): CampaignMove | null {
  const { now, progress } = campaign;
  if (plan.digest === null || progress.feed === undefined) return null;
  const firing = progress.firing === undefined ? null : new Date(progress.firing);
  const isNow = firing !== null && firing <= now && now.getTime() - firing.getTime() <= DIGEST_GRACE_MS;
  if (isNow) return null;
  return firing !== null && firing > now
    ? { ...still(progress.feed), progress, nextAt: firing }
    : moveTo(campaign, plan, progress.feed);
}

const still = ({ trouble }: FeedProgress) => ({
  deliveries: [],
  runs: [],
  status: 'running' as const,
  ...(trouble === null ? {} : { trouble }),
});

/** To its next check, by its interval or its schedule. */
function moveTo({ now }: DueCampaign, { digest, everyMinutes }: FeedPlan, feed: FeedProgress): CampaignMove {
  const rest = still(feed);
  if (digest === null) {
    const nextAt = new Date(now.getTime() + nextCheckMs(everyMinutes * MINUTE_MS, feed.failures));
    return { ...rest, progress: { feed }, nextAt };
  }
  const next = nextFiring({ ...digest, from: null, until: null }, now);
  if (next === null) return { ...rest, progress: { feed }, status: 'completed', nextAt: null };
  return { ...rest, progress: { feed, firing: next.toISOString() }, nextAt: next };
}

function failed(campaign: DueCampaign, plan: FeedPlan, words: string): CheckedFeed {
  const { now, progress } = campaign;
  const before = progress.feed ?? neverRead;
  const feed: FeedProgress = {
    ...before,
    lookedAt: now.toISOString(),
    failures: before.failures + 1,
    failingSince: before.failingSince ?? now.toISOString(),
    trouble: `The feed ${words}.`,
  };
  if (plan.digest === null) return { move: moveTo(campaign, plan, feed), identities: [] };
  // A digest, and the first check that it needs, is tried again until it is too late for this firing.
  const retryAt = new Date(now.getTime() + nextCheckMs(5 * MINUTE_MS, feed.failures));
  const { firing } = progress;
  const inTime = firing === undefined || retryAt.getTime() - new Date(firing).getTime() <= DIGEST_GRACE_MS;
  const move = inTime
    ? { ...still(feed), progress: { ...progress, feed }, nextAt: retryAt }
    : moveTo(campaign, plan, feed);
  return { move, identities: [] };
}

interface Made {
  readonly item: FeedNotification;
  readonly identity: DeliveryIdentity;
}

/** Items first, the oldest of them first, and the summary of the others last. */
async function notificationsOf(
  campaign: DueCampaign,
  plan: FeedPlan,
  { choice, feed }: { readonly choice: Choice; readonly feed: Feed },
  deps: FeedCheckDeps,
): Promise<Made[]> {
  const wanted = [
    ...choice.send.map(({ item, key }) => ({ role: `item ${key}`, items: 1, fields: fieldsOf(item, plan) })),
    ...(choice.digest === null ? [] : [summaryOf(campaign, choice.digest, feed)]),
  ];
  const made: Made[] = [];
  /** One author may have written all of them: a face is asked for once a check. */
  const known = new Map<string, ReturnType<ReadItemImage>>();
  const readPicture = async (url: string | null = null): Promise<Picture | null> => {
    if (url === null) return null;
    const reading = known.get(url) ?? deps.readImage(url, plan.imageBase);
    known.set(url, reading);
    return reading;
  };
  let roomBytes = MAX_IMAGE_BYTES;
  const counted = new Set<Picture>();
  const fitting = (url: string | null = null, picture: Picture | null = null): Picture | null => {
    if (url === null || picture === null || counted.has(picture)) return picture;
    if (picture.image.bytes.length > roomBytes) {
      // Its bytes go now, and not when the whole feed is done.
      known.set(url, Promise.resolve(null));
      return null;
    }
    roomBytes -= picture.image.bytes.length;
    counted.add(picture);
    return picture;
  };
  for (let start = 0; start < wanted.length; start += IMAGES_AT_ONCE) {
    const some = wanted.slice(start, start + IMAGES_AT_ONCE);
    const pictures = await Promise.all(
      some.flatMap(({ fields }) => [readPicture(fields?.image_url), readPicture(fields?.icon_url)]),
    );
    for (const [index, { role, items, fields }] of some.entries()) {
      if (fields === null) continue;
      const image = fitting(fields.image_url, pictures[2 * index]);
      const icon = fitting(fields.icon_url, pictures[2 * index + 1]);
      const fitted = cutToFit(campaign, contentWith(fields, { image, icon }, plan), deps.identify);
      if (fitted === null) continue;
      const { content, identity } = fitted;
      const status = isAutomatic(campaign, plan) ? 'sent' : 'draft';
      const shown = content.imageHash === null ? null : (image?.image ?? null);
      made.push({
        item: { role, status, content, items, image: shown, icon: icon?.image ?? null },
        identity,
      });
    }
  }
  return made;
}

const isAutomatic = ({ mustReview = false }: DueCampaign, { publish }: FeedPlan): boolean =>
  publish === 'automatic' && !mustReview;

function fieldsOf(item: FeedItem, { mapping }: FeedPlan): NotificationFields | null {
  const mapped = mapItem(item, mapping);
  return mapped.kind === 'mapped' ? mapped : null;
}

function summaryOf({ step }: DueCampaign, chosen: NonNullable<Choice['digest']>, feed: Feed) {
  const items = chosen.map(({ item }) => item);
  const mapped = mapDigest(items, feed, defaultDigest);
  return {
    role: `summary ${step}`,
    items: items.length,
    fields: mapped.kind === 'mapped' ? mapped : null,
  };
}

const contentWith = (
  { title, body, url }: NotificationFields,
  { image, icon }: Readonly<Record<'image' | 'icon', Picture | null>>,
  { mapping }: FeedPlan,
): CampaignContent => ({
  ...{ title, body, url, buttons: [] },
  imageUrl: image?.url ?? null,
  imageHash: image === null ? null : Buffer.from(image.image.hash).toString('hex'),
  iconUrl: icon?.url ?? mapping.iconUrl ?? null,
});

/** Push services take no longer ones: an image is left out first, then the text. Null: its URL alone is too long. */
function cutToFit(
  { app, settings, face }: DueCampaign,
  content: CampaignContent,
  identify: FeedCheckDeps['identify'],
): { readonly content: CampaignContent; readonly identity: DeliveryIdentity } | null {
  const origin = identify(app);
  const { options } = settings;
  const plain = { ...content, imageUrl: null, imageHash: null };
  for (const candidate of [content, plain, { ...plain, body: new URL(content.url).host }]) {
    const words = notificationOfCampaign(candidate, options, face);
    const { plaintext, mostBytes } = buildTexts(words, origin, options.queryParams);
    if (mostBytes <= MAX_PLAINTEXT_BYTES)
      return { content: candidate, identity: { identifier: origin.delivery, plaintext } };
  }
  return null;
}
