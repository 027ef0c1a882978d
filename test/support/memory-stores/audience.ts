import { isGroup, reachKey, reachOf } from '../../../engine/contract/audience.ts';
import type { CampaignPart } from '../../../engine/contract/campaign.ts';
import type { Audience } from '../../../engine/contract/frozen-audience.ts';
import { partOf } from '../../plan/share-model.ts';
import type { SubscriptionRow, Tables } from './tables.ts';

/** Everyone, a part of a campaign, or whom a correction is for: no other rules. */
export const isIn = (tables: Tables, audience: Audience | null, row: SubscriptionRow): boolean =>
  (audience?.part === undefined || isInPart(audience.part, row, tables.now())) &&
  (audience?.rules?.conditions ?? []).every((each) => {
    if (isGroup(each) || each.field !== 'delivery') throw new RangeError('no such rule is known here');
    const seqs = tables.frozenReaches.get(`${audience?.delivery_id}/${reachKey(reachOf(each))}`);
    if (seqs === undefined) throw new RangeError('whom that delivery reached is not frozen');
    return (((seqs[row.seq >> 3] ?? 0) >> (row.seq & 7)) & 1) === 1;
  });

export function isInPart(
  part: CampaignPart,
  { seq, zone, zoneChangedAtMs }: SubscriptionRow,
  nowMs: number,
): boolean {
  if (part.kind === 'share') {
    const own = partOf(part.key, seq);
    return own >= part.from && own < part.below;
  }
  if (part.kind === 'named') return part.seqs.includes(seq);
  const here = zone ?? part.zone;
  if (part.zones.includes(here)) return true;
  const { since, instants } = part.moved;
  const own = instants.find(({ zones }) => zones.includes(here));
  const hasCome = own !== undefined && Date.parse(own.at) <= nowMs;
  return hasCome && zoneChangedAtMs !== null && zoneChangedAtMs >= Date.parse(since);
}
