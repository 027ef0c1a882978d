import {
  type CampaignDelivery,
  type CampaignMove,
  contentOf,
  type DueCampaign,
} from '../contract/campaign.ts';
import type { NotificationOrigin } from '../notification/notification.ts';
import { notificationOfCampaign } from '../notification/of-campaign.ts';
import { buildTexts, TextRefused } from '../notification/texts.ts';
import type { CampaignStore, CountClicked, DeliveryIdentity } from './ports.ts';
import { type CountedVariant, decideByClicks, endTest, startTest } from './rules/ab-test.ts';
import { keepQuiet } from './rules/quiet-hours.ts';
import { stepOfFiring } from './rules/recurring.ts';
import { stepOfZones } from './rules/zoned.ts';

const DUE_PER_STEP = 50;
const RETRY_SECONDS = 60;
/** A test waits this long for clicks that cannot be read; then it ends without a winner. */
const CLICKS_AWAY_MS = 3_600_000;

export interface CampaignStepDeps {
  readonly store: CampaignStore;
  readonly countClicked: CountClicked;
  /** A new delivery of the app, and the proof that its beacons carry. */
  readonly identify: (app: string) => NotificationOrigin;
  readonly wakeRelay: () => void;
  readonly onDeferred: (campaignId: number, error: unknown) => void;
}

/** One poll of the campaigns whose step is due. @returns how many it moved on. */
export function createCampaignStep(deps: CampaignStepDeps): () => Promise<number> {
  const { store } = deps;

  async function moveOn(campaign: DueCampaign): Promise<boolean> {
    const { move } = keepQuiet(campaign, await nextMove(campaign, deps));
    const identities = move.deliveries.map(({ content }) => identityOf(campaign, content, deps.identify));
    return store.move(campaign, move, identities);
  }

  return async function campaignStep() {
    let moved = 0;
    for (const campaign of await store.findDue(DUE_PER_STEP)) {
      try {
        if (await moveOn(campaign)) moved++;
      } catch (error) {
        // One that fails must not keep the others waiting. Where the store is unavailable, this fails as well.
        await store.defer(campaign, RETRY_SECONDS, troubleOf(error));
        deps.onDeferred(campaign.id, error);
      }
    }
    if (moved > 0) deps.wakeRelay();
    return moved;
  };
}

/** A text that an earlier release took, and that this one does not know, is the publisher's to fix. */
const troubleOf = (error: unknown): string =>
  error instanceof TextRefused
    ? `The next step failed: ${error.field} ${error.message}. Change the text; it is tried again every minute.`
    : 'The next step failed, and is tried again every minute.';

async function nextMove(campaign: DueCampaign, deps: CampaignStepDeps): Promise<CampaignMove> {
  const { plan } = campaign.settings;
  switch (plan.kind) {
    case 'ab_test': {
      const { decision, testedAt } = campaign.progress;
      if (testedAt === undefined) return startTest(campaign, plan);
      if (decision !== undefined) return endTest(campaign, plan, decision);
      const counts = await countVariants(campaign, deps);
      return endTest(campaign, plan, decideByClicks(counts, plan, campaign.now));
    }
    case 'recurring':
      return stepOfFiring(campaign, plan);
    case 'feed':
      throw new RangeError('a feed has steps of its own');
    case 'local_time':
    case 'quiet_hours': {
      const { part, move } = stepOfZones(campaign, plan);
      const hasReaders = part !== null && (await deps.store.hasReaders(campaign.appId, part));
      return hasReaders ? move : { ...move, deliveries: [] };
    }
  }
}

async function countVariants(
  { id, appId, now, dueAt }: DueCampaign,
  { store, countClicked }: CampaignStepDeps,
): Promise<CountedVariant[]> {
  const variants = await store.readVariants(id);
  try {
    return await Promise.all(
      variants.map(async ({ deliveryId, accepted }) => ({
        accepted,
        clicked: await countClicked(appId, deliveryId),
      })),
    );
  } catch (error) {
    if (now.getTime() - dueAt.getTime() < CLICKS_AWAY_MS) throw error;
    return variants.map(({ accepted }) => ({ accepted, clicked: null }));
  }
}

function identityOf(
  { app, settings, face }: DueCampaign,
  content: CampaignDelivery['content'],
  identify: CampaignStepDeps['identify'],
): DeliveryIdentity {
  const { options } = settings;
  const words = contentOf(settings, content);
  const origin = identify(app);
  const { plaintext, wording } = buildTexts(
    notificationOfCampaign(words, options, face),
    origin,
    options.queryParams,
  );
  return { identifier: origin.delivery, plaintext, wording };
}
