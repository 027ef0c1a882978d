import type { DueCampaign } from '../../contract/campaign.ts';
import type { Clock } from '../../contract/concurrency/clock.ts';
import { type ClaimStep, createClaimStep } from '../../contract/in-flight.ts';
import type { CampaignStore } from '../ports.ts';
import { keepQuiet } from '../rules/quiet-hours.ts';
import { checkFeed, type FeedCheckDeps } from './check-feed.ts';

/** Checks in flight of one engine: one of an app, two of an organization. */
const AT_ONCE = 16;
const RETRY_SECONDS = 60;
/** More than a check with all its images takes. */
const MAX_LOOK_MS = 180_000;

export interface FeedStepDeps extends FeedCheckDeps {
  readonly store: CampaignStore;
  readonly clock: Clock;
  /** How long a feed stays with an engine that shows no sign of life. */
  readonly leaseMs: number;
  readonly wakeRelay: () => void;
  readonly onDeferred: (campaignId: number, error: unknown) => void;
}

/**
 * Checks feeds beside those it checks already: a server that hangs delays the feeds of its own organization at most. A check is
 * the step of a campaign; only its transaction counts, and an engine that dies before it has done nothing.
 */
export function createFeedStep(deps: FeedStepDeps): ClaimStep {
  const { store, leaseMs, clock } = deps;
  /** An engine that dies lets go within a lease; so does a check that hangs, in the end. */
  function keep(campaign: DueCampaign): { release(): void } {
    const everyMs = leaseMs / 3;
    let left = Math.ceil(MAX_LOOK_MS / everyMs);
    const tick = (): void => {
      if (left-- <= 0) return;
      timer = clock.setTimer(everyMs, tick);
      // Postgres away: what the check makes is fenced by its step, whoever has it then.
      store.keepFeed(campaign, leaseMs).catch(() => {});
    };
    let timer = clock.setTimer(everyMs, tick);
    return { release: () => timer.clear() };
  }

  async function checkAndKeep(campaign: DueCampaign): Promise<void> {
    const kept = keep(campaign);
    try {
      await check(campaign);
    } finally {
      kept.release();
    }
  }

  async function check(campaign: DueCampaign): Promise<void> {
    const { plan } = campaign.settings;
    if (plan.kind !== 'feed') throw new RangeError('this campaign is not a feed');
    const checked = await checkFeed(campaign, plan, deps);
    const { move, kept } = keepQuiet(campaign, checked.move);
    const identities = checked.identities.filter((_, index) => kept.includes(index));
    if ((await store.move(campaign, move, identities)) && move.deliveries.length > 0) deps.wakeRelay();
  }

  /** Where the store is unavailable, its claim ends by itself. */
  async function leave(campaign: DueCampaign, error: unknown): Promise<void> {
    await store
      .defer(campaign, RETRY_SECONDS, 'The last poll of the feed failed, and is tried again every minute.')
      .catch(() => {});
    deps.onDeferred(campaign.id, error);
  }

  return createClaimStep<DueCampaign>({
    atOnce: AT_ONCE,
    claim: (limit, inFlight) =>
      store.claimFeeds(
        limit,
        inFlight.map(({ appId }) => appId),
        leaseMs,
      ),
    attempt: (campaign) => checkAndKeep(campaign).catch((error) => leave(campaign, error)),
    // `leave` has noted what it can: there is nothing more to do about it.
    onError: () => {},
  });
}
