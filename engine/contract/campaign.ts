import { type Static, Type } from 'typebox';
import { Compile } from 'typebox/compile';
import type { CampaignOptions } from './campaign-options.ts';
import type { Face } from './face.ts';
import type { AppId, DeliveryId } from './ids.ts';
import { namedPart } from './named-part.ts';
import { SHARE_PARTS } from './share.ts';
import type { Translation } from './wording.ts';

/**
 * A campaign is a set of ordinary deliveries and one row that says what it does next. Planning and sending see its
 * deliveries alone.
 */
export const campaignKinds = ['ab_test', 'local_time', 'recurring', 'feed', 'quiet_hours'] as const;
export type CampaignKind = (typeof campaignKinds)[number];

/**
 * - `scheduled`: it has created nothing yet, and may be changed.
 * - `running`: a step is to come.
 * - `deciding`: it waits until a person names the winner.
 * - `completed`: it creates nothing any more; its deliveries may still be sent.
 */
export const campaignStatuses = [
  'scheduled',
  'running',
  'deciding',
  'completed',
  'cancelled',
  'failed',
] as const;
export type CampaignStatus = (typeof campaignStatuses)[number];
/** A step may come, or somebody may bring it about. */
export const openCampaignStatuses = [
  'scheduled',
  'running',
  'deciding',
] as const satisfies readonly CampaignStatus[];

const zones = Type.Array(Type.String());

/** `deliveries.campaign_part`: the part of an audience that one delivery of a campaign serves. */
export const campaignPart = Type.Union([
  /** The readers of these parts of a split, as in a segment. */
  Type.Object({
    kind: Type.Literal('share'),
    key: Type.String(),
    from: Type.Integer({ minimum: 0, maximum: SHARE_PARTS - 1 }),
    below: Type.Integer({ minimum: 1, maximum: SHARE_PARTS }),
  }),
  /**
   * The readers in these time zones, except for those in the audience of another delivery of the campaign: a reader who
   * travels is served once.
   */
  Type.Object({
    kind: Type.Literal('zones'),
    campaign_id: Type.Integer({ minimum: 1 }),
    zones,
    /** The zone of readers whose own is not known. */
    zone: Type.String(),
    /**
     * And the readers who have changed their zone since then, as soon as the time of the one they are in has come: where
     * they were it may not have come, or their delivery has not checked them yet. All zones, by their instants.
     */
    moved: Type.Object({
      since: Type.String(),
      instants: Type.Array(Type.Object({ at: Type.String(), zones })),
    }),
  }),
  namedPart,
]);
export type CampaignPart = Static<typeof campaignPart>;

const checkPart = Compile(campaignPart);

/** @throws RangeError on what is none: such a row is a bug, and must never select everyone. */
export function parseCampaignPart(value: unknown): CampaignPart | null {
  if (value === null) return null;
  if (!checkPart.Check(value)) throw new RangeError('this is not part of a campaign');
  return value;
}

/** What a notification of the campaign says; `imageUrl` is where we serve `imageHash`. */
export interface CampaignContent {
  readonly title: string;
  readonly body: string;
  readonly url: string;
  readonly imageUrl: string | null;
  readonly imageHash: string | null;
  /** Where we serve its own icon. Null or absent: the app's is shown. */
  readonly iconUrl?: string | null;
  readonly buttons: readonly { readonly title: string; readonly url: string }[];
  readonly language?: string | null;
  readonly translations?: readonly Translation[];
  /** `{{ tag.name }}` in it is a reader's tag. Absent: it is what a feed says, word for word. */
  readonly isPersonal?: boolean;
}

export interface AbTestPlan {
  readonly kind: 'ab_test';
  /** Parts of `SHARE_PARTS` that get the variants, evenly. */
  readonly testParts: number;
  /** `never`: the variants are all there is. */
  readonly decideBy: 'clicks' | 'hand' | 'never';
  readonly decideAfterMinutes: number;
  /** Index of the variant that the others get where none wins. */
  readonly fallback: number;
}

export interface WallClock {
  /** `2026-11-23`. */
  readonly date: string;
  /** `08:00`. */
  readonly time: string;
}

export interface LocalTimePlan {
  readonly kind: 'local_time';
  readonly at: WallClock;
  /** The app's own when it was created: that of readers whose zone is not known. */
  readonly zone: string;
  /** Readers for whom it was later than `at` already when the campaign was created get it at once, or not at all. */
  readonly ifPassed: 'send' | 'skip';
  readonly createdAt: string;
}

export interface RecurringPlan {
  readonly kind: 'recurring';
  readonly cron: string;
  /** An IANA zone; `reader`: wherever the reader is. */
  readonly zone: string;
  readonly appZone: string;
  readonly from: string | null;
  readonly until: string | null;
  /** A firing that is later than this is left out. */
  readonly graceMinutes: number;
}

/** `apps.quiet_hours`. */
export interface QuietHoursSetting {
  readonly from: string;
  readonly to: string;
  /** Whose clocks count. */
  readonly time_zone: 'reader' | 'app';
}

export interface QuietHoursPlan {
  readonly kind: 'quiet_hours';
  readonly from: string;
  readonly to: string;
  /** When it would be sent if nobody slept. */
  readonly at: string;
  readonly zone: string;
  /** Readers whose quiet hours end then or later get nothing; equal to `at`: nobody waits. Absent: everyone waits. */
  readonly until?: string;
}

/** Never over by itself, so it may be changed while it runs. */
export interface FeedPlan {
  readonly kind: 'feed';
  readonly url: string;
  readonly everyMinutes: number;
  /** What is new is summed up at these times, and looked for at no others. Null: items are sent as they come. */
  readonly digest: { readonly cron: string; readonly zone: string } | null;
  /** Texts with fields in braces, and whether the item's image is shown. */
  readonly mapping: {
    readonly title: string;
    readonly body: string;
    readonly image: boolean;
    /** Where we serve the icon of its items, such as their section's mark. Null or absent: the app's is shown. */
    readonly iconUrl?: string | null;
    /** In its place the item's own, such as its author's face, where the feed has one. Absent: no. */
    readonly itemIcon?: boolean;
  };
  readonly filter: {
    /** One of them; null: any. */
    readonly categories: readonly string[] | null;
    readonly words: readonly string[] | null;
    /** None of them, neither as a category nor as words. */
    readonly without: readonly string[] | null;
  };
  /** `review`: items are drafts until a person approves them. */
  readonly publish: 'automatic' | 'review';
  /** Items and summaries. */
  readonly perHour: number;
  /** Of more items than that. */
  readonly overflow: 'summary' | 'drop';
  /** Our own address, as the client knew it: images are served there. */
  readonly imageBase: string;
}

export type CampaignPlan = AbTestPlan | LocalTimePlan | RecurringPlan | FeedPlan | QuietHoursPlan;

/** `campaigns.settings`. */
export interface CampaignSettings {
  /** One; of a test, one a variant; of a feed none, for its items have their own. */
  readonly contents: readonly CampaignContent[];
  readonly options: CampaignOptions;
  readonly plan: CampaignPlan;
}

export type CampaignId = number;

/** A campaign whose next step is due, as the step that moves it must still find it. */
export interface DueCampaign {
  readonly id: CampaignId;
  readonly appId: AppId;
  /** The app's public identifier. */
  readonly app: string;
  readonly name: string;
  readonly settings: CampaignSettings;
  readonly progress: CampaignProgress;
  readonly quietHours: QuietHoursSetting | null;
  /** The app asks for approval: items of its feed wait for a person. Absent: no. */
  readonly mustReview?: boolean;
  /** Of the app. */
  readonly zone: string;
  /** Of the app, as it is now: a campaign may run for months. */
  readonly face: Face;
  /** Raised by every move: a step that read another number has come too late. */
  readonly step: number;
  readonly dueAt: Date;
  /** Of the store, when it was read. */
  readonly now: Date;
}

/** `campaigns.progress`. */
export interface CampaignProgress {
  /** Of a test: when its variants were created. ISO 8601, UTC, as all times here. */
  readonly testedAt?: string;
  /** By local time: every zone whose time had come by then is served. */
  readonly servedUntil?: string;
  /** The firing that the next step is for; by local time it is what clocks show, written as if in UTC. */
  readonly firing?: string;
  readonly decision?: CampaignDecision;
  readonly feed?: FeedProgress;
}

export interface FeedProgress {
  /** Of the last check that was read. Another one than the plan's: the next check is a first one. */
  readonly url: string | null;
  readonly title: string | null;
  /** Validators of the last check that was read, for the next one. */
  readonly etag: string | null;
  readonly lastModified: string | null;
  readonly lookedAt: string;
  /** When it was last read, or was as before. */
  readonly readAt: string | null;
  /** In a row. */
  readonly failures: number;
  /** Of the first of these. */
  readonly failingSince: string | null;
  /** What the last one was, in a sentence for people. */
  readonly trouble: string | null;
}

export interface CampaignDecision {
  readonly by: 'clicks' | 'hand';
  readonly at: string;
  /** Index of the variant; null: no winner. */
  readonly winner: number | null;
  /** Index of the variant that the others get. */
  readonly sent: number;
  readonly reason: 'decided' | 'too-few' | 'too-close' | 'clicks-unknown' | 'by-hand';
  /** The counts that it rests on. Null: by hand, or clicks could not be read. */
  readonly counts: readonly { readonly accepted: number; readonly clicked: number }[] | null;
}

/** A delivery that a campaign creates; `role` is unique in it, and that is what makes it once. */
export interface CampaignDelivery {
  readonly role: string;
  /** Index in `contents`; of an item of a feed, what it says. */
  readonly content: number | CampaignContent;
  readonly part: CampaignPart | null;
  /** Absent: at once. */
  readonly scheduledAt?: Date;
}

/** @throws RangeError where the campaign has none of this number. */
export function contentOf(
  { contents }: Pick<CampaignSettings, 'contents'>,
  content: CampaignDelivery['content'],
): CampaignContent {
  const words = typeof content === 'number' ? contents[content] : content;
  if (words === undefined) throw new RangeError(`the campaign has no content ${content}`);
  return words;
}

/** What a poll of a feed leaves in its campaign's rows. */
export interface FeedNotes {
  /** Keys of the items that the feed has now. */
  readonly seen: readonly string[];
  /** Notifications made of its items, each under the role of its delivery: that is what makes it once. */
  readonly items: readonly FeedNotification[];
}

export interface FeedNotification {
  readonly role: string;
  /** A draft has no delivery until a person approves it. */
  readonly status: Extract<FeedItemStatus, 'draft' | 'sent'>;
  readonly content: CampaignContent;
  /** More than one: a summary. */
  readonly items: number;
  /** To be stored with it; null where it shows none, or one that is stored. */
  readonly image: FeedImage | null;
  /** Its own icon; null: it has none, or shows the mapping's, which the campaign keeps. */
  readonly icon: FeedImage | null;
}

export interface FeedImage {
  readonly hash: Uint8Array;
  readonly contentType: string;
  readonly bytes: Uint8Array;
}

export const feedItemStatuses = ['draft', 'sent', 'dismissed'] as const;
export type FeedItemStatus = (typeof feedItemStatuses)[number];

/** A campaign that a campaign creates: a firing that goes out by local time. */
export interface CampaignRun {
  /** Unique in its parent. */
  readonly run: string;
  readonly settings: CampaignSettings;
}

/** What a step does, all of it or nothing. */
export interface CampaignMove {
  readonly deliveries: readonly CampaignDelivery[];
  readonly runs: readonly CampaignRun[];
  readonly progress: CampaignProgress;
  readonly status: Extract<CampaignStatus, 'running' | 'deciding' | 'completed'>;
  /** Null: nothing comes by itself. */
  readonly nextAt: Date | null;
  /** Of a poll of a feed. */
  readonly feed?: FeedNotes;
  /** What keeps it from going on as planned, in a sentence for people. */
  readonly trouble?: string;
}

/** A variant's delivery, for a decision. */
export interface VariantDelivery {
  readonly deliveryId: DeliveryId;
  /** Index in `contents`. */
  readonly content: number;
  readonly accepted: number;
}
