import { expect } from 'vitest';
import type { DeliveryId, ShardId } from '../../engine/contract/ids.ts';
import type { Outcome } from '../../engine/contract/outcome.ts';
import type { CapRule, FrequencyCap } from '../../engine/contract/shard.ts';
import {
  accept,
  type CapModel,
  fail,
  heldSeqs,
  isConcerned,
  isReserved,
  reserve,
  rulesNow,
  stop,
} from './cap-model.ts';
import { HOPELESS_AFTER, type ShardRan } from './cap-runner.ts';

/** One block of one delivery, which here is a shard. */
export interface Part {
  readonly key: string;
  readonly deliveryId: DeliveryId;
  readonly shardId: ShardId;
  readonly block: number;
  readonly ignores: boolean;
  cancelled: boolean;
  ended: boolean;
  runs: number;
}

/** Across the border of two blocks. */
export const SEQS = [1_021, 1_022, 1_023, 1_024, 1_025, 1_026];

interface Reserved {
  readonly key: string;
  readonly rules: readonly CapRule[];
  readonly concerned: ReadonlySet<string>;
  /** The readers' own caps. */
  readonly fewer: ReadonlyMap<number, FrequencyCap>;
}

export type OutcomeOf = (seq: number) => Outcome;

/** Takes on the plain model the steps that the real engine took, and compares what it sent. */
export function createCapFollower(model: CapModel) {
  const subscribed = new Set(SEQS);
  const reservedOrder: Reserved[] = [];
  const accepted: { key: string; seq: number; at: number }[] = [];

  const audienceOf = (part: Part): number[] =>
    SEQS.filter((seq) => seq >> 10 === part.block && subscribed.has(seq));
  const rulesOf = (part: Part): CapRule[] => rulesNow(model, part.ignores);

  const reserveIfNew = (part: Part): void => {
    if (isReserved(model, part.key)) return;
    const rules = rulesOf(part);
    reserve(model, part.key, audienceOf(part), rules);
    const concerned = rules.flatMap((rule, at) =>
      SEQS.filter((seq) => isConcerned(model, seq, rule)).map((seq) => `${at}/${seq}`),
    );
    const fewer = new Map(
      [...model.wishes].flatMap(([seq, wish]) => (wish.fewer ? [[seq, wish.fewer]] : [])),
    );
    reservedOrder.push({ key: part.key, rules, concerned: new Set(concerned), fewer });
  };

  /** Of what got its slot before it, or with it, nobody had more than each rule allows inside its window. */
  const checkPromise = (key: string, seq: number): void => {
    const index = reservedOrder.findIndex((one) => one.key === key);
    const reserved = reservedOrder[index];
    const earlier = new Set(reservedOrder.slice(0, index + 1).map((one) => one.key));
    const rules = (reserved?.rules ?? []).filter((_, at) => reserved?.concerned.has(`${at}/${seq}`));
    const own = reserved?.fewer.get(seq);
    for (const rule of own === undefined ? rules : [...rules, own]) {
      const seen = accepted.filter(
        (one) => one.seq === seq && earlier.has(one.key) && model.nowMinutes - one.at < rule.windowMinutes,
      );
      expect(seen.length).toBeLessThanOrEqual(rule.maxNotifications);
    }
  };

  const take = (part: Part, seq: number, outcome: Outcome): void => {
    if (outcome === 'throttled' || outcome === 'unreachable') return;
    if (outcome !== 'accepted') {
      fail(model, part.key, seq);
      if (outcome === 'gone') subscribed.delete(seq);
      return;
    }
    accept(model, part.key, seq);
    accepted.push({ key: part.key, seq, at: model.nowMinutes });
    checkPromise(part.key, seq);
  };

  /** What the run should have done, by the model. */
  const follow = (part: Part, ran: ShardRan, outcome: OutcomeOf): void => {
    part.ended = ran.ending === 'settled' || ran.ending === 'stopped';
    if (part.cancelled) {
      expect(ran).toEqual({ ending: 'stopped', sent: null });
      stop(model, part.key);
      return;
    }
    reserveIfNew(part);
    const hopeless = part.runs > HOPELESS_AFTER;
    if (!hopeless) {
      for (const seq of heldSeqs(model, part.key)) if (!subscribed.has(seq)) fail(model, part.key, seq);
      expect(ran.sent ?? []).toEqual(heldSeqs(model, part.key));
    }
    if (ran.ending === 'died') return;
    for (const seq of ran.sent ?? []) take(part, seq, outcome(seq));
    if (ran.ending === 'settled') for (const seq of heldSeqs(model, part.key)) fail(model, part.key, seq);
    else expect(heldSeqs(model, part.key)).not.toEqual([]);
  };

  /** Whether the model, giving slots in this order, sends to the same. */
  const fits = (ran: readonly { readonly part: Part; readonly ran: ShardRan }[]): boolean => {
    const trial = structuredClone(model);
    for (const { part } of ran) reserve(trial, part.key, audienceOf(part), rulesOf(part));
    return ran.every(({ part, ran: { sent } }) => `${heldSeqs(trial, part.key)}` === `${sent ?? []}`);
  };

  return { follow, fits, reserveIfNew };
}
