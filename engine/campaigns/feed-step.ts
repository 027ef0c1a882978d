import type { DueCampaign } from '../contract/campaign.ts';
import type { AppId } from '../contract/ids.ts';
import { type FeedLookDeps, lookAtFeed } from './feed-look.ts';
import type { CampaignStore } from './ports.ts';
import { keepQuiet } from './quiet-hours.ts';

/** Looks in flight of one engine: one of an app, two of an organization. */
const AT_ONCE = 16;
const RETRY_SECONDS = 60;

export interface FeedStepDeps extends FeedLookDeps {
  readonly store: CampaignStore;
  readonly wakeRelay: () => void;
  readonly onDeferred: (campaignId: number, error: unknown) => void;
}

export interface FeedStep {
  /** Claims feeds that are due, and begins to look at them. @returns how many it began. */
  step(): Promise<number>;
  /** Resolves when nothing is in flight. */
  idle(): Promise<void>;
}

/**
 * Looks at feeds beside those it looks at already: a server that hangs delays the feeds of its own organization at most. A look is
 * the step of a campaign; only its transaction counts, and an engine that dies before it has done nothing.
 */
export function createFeedStep(deps: FeedStepDeps): FeedStep {
  const { store } = deps;
  const inFlight = new Map<AppId, Promise<void>>();

  async function look(campaign: DueCampaign): Promise<void> {
    const { plan } = campaign.settings;
    if (plan.kind !== 'feed') throw new RangeError('this campaign is no feed');
    const looked = await lookAtFeed(campaign, plan, deps);
    const { move, kept } = keepQuiet(campaign, looked.move);
    const identities = looked.identities.filter((_, index) => kept.includes(index));
    if ((await store.move(campaign, move, identities)) && move.deliveries.length > 0) deps.wakeRelay();
  }

  /** Where the store is away, its claim ends by itself. */
  async function leave(campaign: DueCampaign, error: unknown): Promise<void> {
    deps.onDeferred(campaign.id, error);
    await store
      .defer(campaign, RETRY_SECONDS, 'The last look at the feed failed, and is tried again every minute.')
      .catch(() => {});
  }

  function begin(campaign: DueCampaign): void {
    const running = look(campaign)
      .catch((error: unknown) => leave(campaign, error))
      .then(() => {
        inFlight.delete(campaign.appId);
      });
    inFlight.set(campaign.appId, running);
  }

  return {
    step: async () => {
      if (inFlight.size >= AT_ONCE) await Promise.race(inFlight.values());
      const claimed = await store.claimFeeds(AT_ONCE - inFlight.size, [...inFlight.keys()]);
      for (const campaign of claimed) begin(campaign);
      return claimed.length;
    },
    idle: async () => {
      await Promise.all(inFlight.values());
    },
  };
}
