/**
 * While a push service limits or throttles an app, the readers who will probably click go first, across the whole
 * audience and not only within a block. How probable that is, is a count: (clicks + a) / (sent + b), of the reader's own
 * history, in which older things count less.
 *
 * A shard goes through its blocks in rounds. Each round sends only to readers from a rate on; the last one sends to the
 * rest. Shards of an earlier round go before those of a later one.
 */

/** What a click, or a notification that was sent, counts for is halved in this time. */
export const HALF_LIFE_DAYS = 14;

/** What was sent before counts no more: by then it would count for a sixteenth. */
export const HISTORY_DAYS = 4 * HALF_LIFE_DAYS;

/** Deliveries of a block that are read, the newest ones. */
export const MOST_HISTORY = 1_000;

/** Of the readers of one block, those who were active last first. */
export interface BlockHistory {
  readonly seqs: Uint32Array<ArrayBuffer>;
  /** Of each: proven clicks, by age. */
  readonly clicks: ArrayLike<number>;
  /** Of each: notifications that its push service accepted, by age. */
  readonly sent: ArrayLike<number>;
  /** Of each: the last visit or click, by age: from 1 now to 0 long ago. */
  readonly seen: ArrayLike<number>;
}

/** The readers of a block, the most probable click first; of equal ones who was active last. */
export interface Ranked {
  readonly order: Uint32Array<ArrayBuffer>;
  /** In that order. */
  readonly rates: Float64Array;
}

/** The prior counts as much as this number of notifications. */
const PRIOR_SENT = 10;

/** Of the prior, for who was away for long; who is here now has three times as much. */
const LEAST_SEEN = 0.5;

/** Of a block without a history of its own, which counts as much as this number of notifications to all of it. */
const USUAL_RATE = 0.02;
const USUAL_SENT = 50;

/** What is counted at an age, in days; an age below 0 is that of a clock set back. */
export const weightAt = (days: number): number => 0.5 ** (Math.max(0, days) / HALF_LIFE_DAYS);

/**
 * The prior is what the readers of the block did together, more of it for who was here lately: of readers without a
 * history, these go first over all blocks. Nobody clicked more than they were sent, whatever browsers report.
 */
export function rankReaders({ seqs, clicks, sent, seen }: BlockHistory): Ranked {
  const clicked = Array.from(seqs, (_, at) => Math.min(clicks[at] ?? 0, Math.max(1, sent[at] ?? 0)));
  const prior =
    (sum(clicked) + USUAL_RATE * USUAL_SENT) / (sum(Array.from(seqs, (_, at) => sent[at] ?? 0)) + USUAL_SENT);
  const rates = clicked.map((count, at) =>
    Math.min(
      1,
      (count + PRIOR_SENT * prior * (LEAST_SEEN + (seen[at] ?? 0))) / ((sent[at] ?? 0) + PRIOR_SENT),
    ),
  );
  // Stable: equal ones stay as they came.
  const places = Array.from(seqs.keys()).sort((a, b) => (rates[b] as number) - (rates[a] as number));
  return {
    order: Uint32Array.from(places, (at) => seqs[at] as number),
    rates: Float64Array.from(places, (at) => rates[at] as number),
  };
}

const sum = (counts: readonly number[]): number => counts.reduce((all, count) => all + count, 0);

/** The least rate of the first round; that of each further one is less by the square root of two. */
const FIRST_RATE = 0.5;

/** From half a click a notification to one in seven hundred; this round is for everyone. */
export const LAST_ROUND = 18;

/** The round in which a reader's turn comes. */
export const roundOf = (rate: number): number =>
  Math.min(LAST_ROUND, Math.max(0, Math.ceil(2 * Math.log2(FIRST_RATE / rate))));

/** How many of the order, from the first, are for this round or an earlier one. */
export function countUntil({ rates }: Ranked, round: number): number {
  const after = rates.findIndex((rate) => roundOf(rate) > round);
  return after === -1 ? rates.length : after;
}
