import type {
  CampaignId,
  CampaignMove,
  CampaignPart,
  DueCampaign,
  VariantDelivery,
} from '../contract/campaign.ts';
import type { AppId, DeliveryId } from '../contract/ids.ts';
import type { Wording } from '../contract/wording.ts';

/**
 * What campaigns do next, and nothing of how they are stored or sent. Invariants of this folder:
 *
 * - A step creates its deliveries, notes what it decided and moves the campaign on in one transaction, if nobody moved it
 *   meanwhile: any number of engines may try the same step.
 * - A campaign's deliveries have disjoint audiences: parts of one split, or time zones, of which a block's first delivery
 *   takes a reader away from the others.
 * - What a step reads before (clicks, readers) may be older than the transaction, and only makes it wait or choose.
 */
export interface CampaignStore {
  /** Campaigns whose step is due, the longest due first. Feeds are not among them: a check of one takes its time. */
  findDue(limit: number): Promise<DueCampaign[]>;
  /**
   * Feeds that are to be checked, at most one of each organization, none of the busy apps, and none of an organization
   * with two of those. Until the lease ends no other engine gets them, so that a feed is asked once.
   */
  claimFeeds(limit: number, busy: readonly AppId[], leaseMs: number): Promise<DueCampaign[]>;
  /** Its check goes on: the lease starts again. */
  keepFeed(campaign: DueCampaign, leaseMs: number): Promise<void>;
  /** Which of these keys a feed has had, and how many notifications were made of its items within the last hour. */
  readFeed(
    id: CampaignId,
    keys: readonly string[],
  ): Promise<{ readonly seen: ReadonlySet<string>; readonly lastHour: number }>;
  /** The deliveries of a test's variants, in the order of their contents. */
  readVariants(id: CampaignId): Promise<VariantDelivery[]>;
  /** Whether a subscribed reader of the app is in this part now. */
  hasReaders(appId: AppId, part: CampaignPart): Promise<boolean>;
  /** All of it or nothing. @returns false where the campaign was moved, changed or cancelled since it was read. */
  move(campaign: DueCampaign, move: CampaignMove, identities: readonly DeliveryIdentity[]): Promise<boolean>;
  /** Leaves the step for later, and shows why. */
  defer(campaign: DueCampaign, seconds: number, words: string): Promise<void>;
}

/** What a delivery of a move is known by, and the notification that carries it. */
export interface DeliveryIdentity {
  readonly identifier: string;
  readonly plaintext: Uint8Array;
  /** Absent or null: everyone gets `plaintext`. */
  readonly wording?: Wording | null;
}

/** Readers who clicked it, each once. @throws where that is not known now. */
export type CountClicked = (appId: AppId, deliveryId: DeliveryId) => Promise<number>;
