import type { CampaignPart } from '../../../engine/contract/campaign.ts';
import type { Audience } from '../../../engine/contract/frozen-audience.ts';
import { partOf } from '../../plan/share-model.ts';
import type { SubscriptionRow } from './tables.ts';

/** An audience of no rules: everyone, or a part of a campaign. */
export const isIn = (audience: Audience | null, row: SubscriptionRow, nowMs: number): boolean =>
  audience?.part === undefined || isInPart(audience.part, row, nowMs);

export function isInPart(
  part: CampaignPart,
  { seq, zone, zoneChangedAtMs }: SubscriptionRow,
  nowMs: number,
): boolean {
  if (part.kind === 'share') {
    const own = partOf(part.key, seq);
    return own >= part.from && own < part.below;
  }
  const here = zone ?? part.zone;
  if (part.zones.includes(here)) return true;
  const { since, instants } = part.moved;
  const own = instants.find(({ zones }) => zones.includes(here));
  const hasCome = own !== undefined && Date.parse(own.at) <= nowMs;
  return hasCome && zoneChangedAtMs !== null && zoneChangedAtMs >= Date.parse(since);
}
