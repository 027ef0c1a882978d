import type { DeliveryReactions, Reactions } from '../../../engine/adapters/clickhouse/reactions.ts';
import { percent } from '../../http/fields.ts';

/** Readers of one delivery, or of several: each stage is part of the one before it. */
export interface FunnelCounts extends Reactions {
  readonly accepted: number;
  readonly unproven: Reactions;
}

/**
 * The stages of one delivery. Beacons may be ahead of the accepted count, which a block adds to when it ends,
 * and anyone may send unproven ones: so no stage exceeds the one before it, and unproven readers fill the room
 * that the proven ones leave, and no more.
 */
export function funnelOf(accepted: number, reactions: DeliveryReactions): FunnelCounts {
  const proven = within(accepted, 0, reactions);
  const idle = proven.displayed - proven.clicked - proven.closed;
  return {
    accepted,
    ...proven,
    unproven: within(accepted - proven.displayed, idle, reactions.unproven),
  };
}

/**
 * @param unseen room for readers who displayed it.
 * @param idle others who displayed it and did nothing more.
 */
function within(unseen: number, idle: number, reactions: Reactions): Reactions {
  const displayed = Math.min(reactions.displayed, unseen);
  const clicked = Math.min(reactions.clicked, displayed + idle);
  return { displayed, clicked, closed: Math.min(reactions.closed, displayed + idle - clicked) };
}

export const noFunnel: FunnelCounts = Object.freeze({
  accepted: 0,
  displayed: 0,
  clicked: 0,
  closed: 0,
  unproven: Object.freeze({ displayed: 0, clicked: 0, closed: 0 }),
});

export const addFunnels = (a: FunnelCounts, b: FunnelCounts): FunnelCounts => ({
  accepted: a.accepted + b.accepted,
  ...addReactions(a, b),
  unproven: addReactions(a.unproven, b.unproven),
});

const addReactions = (a: Reactions, b: Reactions): Reactions => ({
  displayed: a.displayed + b.displayed,
  clicked: a.clicked + b.clicked,
  closed: a.closed + b.closed,
});

/** With the share that each stage is of the one before it. */
export const withRates = (counts: FunnelCounts) => ({
  ...counts,
  displayed_rate: percent(counts.displayed, counts.accepted),
  clicked_rate: percent(counts.clicked, counts.displayed),
  closed_rate: percent(counts.closed, counts.displayed),
});
