import type {
  AbTestPlan,
  CampaignDecision,
  CampaignDelivery,
  CampaignMove,
  CampaignPart,
  DueCampaign,
} from '../../contract/campaign.ts';
import { SHARE_PARTS } from '../../contract/share.ts';
import { decide } from './decide.ts';

/** Beacons of the last clicks are on their way this long. */
const LATE_BEACONS_MS = 60_000;
/** Fewer accepted messages in a variant, and nobody wins. */
const MIN_ACCEPTED = 100;
const CONFIDENCE = 0.95;
export const decisionRule = { confidence: CONFIDENCE, minAccepted: MIN_ACCEPTED } as const;

export interface CountedVariant {
  readonly accepted: number;
  /** Null: not known. */
  readonly clicked: number | null;
}

/** Creates the variants; the second step decides. */
export function startTest({ id, now, settings }: DueCampaign, plan: AbTestPlan): CampaignMove {
  const { decideBy, decideAfterMinutes, testParts } = plan;
  const variants = settings.contents.length;
  const decidesAt = new Date(now.getTime() + decideAfterMinutes * 60_000 + LATE_BEACONS_MS);
  return {
    deliveries: settings.contents.map((_, content) => ({
      role: `variant-${content + 1}`,
      content,
      part: partOfVariant(id, content, variants, testParts),
    })),
    runs: [],
    progress: { testedAt: now.toISOString() },
    status: decideBy === 'never' ? 'completed' : decideBy === 'hand' ? 'deciding' : 'running',
    nextAt: decideBy === 'clicks' ? decidesAt : null,
  };
}

/** The winner, or the fallback, goes to everybody whom no variant went to. */
export function endTest(
  { id, progress }: DueCampaign,
  { testParts }: AbTestPlan,
  decision: CampaignDecision,
): CampaignMove {
  const rest: CampaignDelivery = {
    role: 'winner',
    content: decision.sent,
    part: { kind: 'share', key: splitOf(id), from: testParts, below: SHARE_PARTS },
  };
  return {
    deliveries: testParts < SHARE_PARTS ? [rest] : [],
    runs: [],
    progress: { ...progress, decision },
    status: 'completed',
    nextAt: null,
  };
}

/** @param counts one a variant; a clicked of null makes the test end without a winner. */
export function decideByClicks(
  counts: readonly CountedVariant[],
  { fallback }: AbTestPlan,
  now: Date,
): CampaignDecision {
  const known = counts.flatMap(({ accepted, clicked }) => (clicked === null ? [] : [{ accepted, clicked }]));
  const at = now.toISOString();
  if (known.length < counts.length)
    return { by: 'clicks', at, winner: null, sent: fallback, reason: 'clicks-unknown', counts: null };
  const { winner, reason } = decide(known, decisionRule);
  return { by: 'clicks', at, winner, sent: winner ?? fallback, reason, counts: known };
}

/** The same for as long as the campaign exists, and independent of the split of any other. */
const splitOf = (campaignId: number): string => `campaign ${campaignId}`;

/** The readers of the test evenly among its variants: no part is in two of them. */
function partOfVariant(id: number, index: number, variants: number, testParts: number): CampaignPart {
  const end = (count: number): number => Math.floor((count * testParts) / variants);
  return { kind: 'share', key: splitOf(id), from: end(index), below: end(index + 1) };
}
