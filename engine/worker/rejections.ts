import {
  type ChannelState,
  msUntilTick,
  type SenderWord,
  senderWord,
  senderWordIndex,
  tickAt,
} from '../contract/channel-state.ts';
import { backOffMs } from '../contract/concurrency/back-off.ts';
import { systemClock } from '../contract/concurrency/clock.ts';
import type { Outcome } from '../contract/outcome.ts';

/**
 * Detects that a push service rejects the sender (a wrong key, a wrong contact), and then pauses that sender for a
 * while: unsent messages wait, and are tried again until they expire.
 *
 * **Trusted endpoints** accepted a message before: anyone can subscribe endpoints that answer 403. Where none of the
 * app's key pair ever accepted, as with the first delivery to an import, all are asked alike, and each block finds
 * out for itself, so that a block of invented endpoints stops no other one.
 *
 *     sending ── a burst ──► paused until … ──► probe ──┬── accepted ──► sending
 *                               ▲                       └── rejected ──► paused, twice as long
 *
 * - With trusted endpoints, a burst of one block pauses the sender for all of them. Then one message to another
 *   trusted endpoint decides; where none is left to probe with, any endpoint may.
 *   A pause that began without trusted endpoints ends with the first of them.
 * - Without trusted endpoints, a burst is nine of ten of a block, while less than a tenth of all answers were
 *   acceptances. Each block then sends a few probes, at each attempt, until that tenth is reached.
 *   Further probes, twice as many with each pause, are shared by all blocks: readers among a thousand invented endpoints
 *   are found before their notification expires.
 *
 * **Fault.** An endpoint that rejects while its push service accepts others from the same sender is at fault itself.
 * While most reject, the fault may be ours and no endpoint is blamed: a wrong key of ours must not cost an audience.
 * A trusted endpoint needs stronger evidence, because a push service in trouble answers 403 too.
 */
export interface Rejections {
  allowance(sender: Sender, isKnown: boolean): SenderAllowance;
  /** Of every request that goes out. */
  sent(sender: Sender, isKnown: boolean): void;
  /**
   * For each request that was sent; `unsent`: it was not sent after all.
   * @returns the status with which the sender is rejected, if this answer shows it.
   */
  answered(sender: Sender, isKnown: boolean, answer: SenderAnswer): number | null;
  /** The status of the pause; 0: there is none. */
  pausedWith(sender: Sender): number;
  /** For an endpoint that rejected: whether that is its own fault, by the current state of the sender. */
  isOwnFault(sender: Sender, isKnown: boolean): boolean;
}

/** One of the app's key pairs at one push service. */
interface Sender {
  readonly channel: number;
  readonly key: number;
}

type SenderAllowance =
  | { readonly kind: 'open' }
  /** At most `limit` requests, then nothing before they are answered. */
  | { readonly kind: 'probe'; readonly limit: number }
  /** Answers that this block waits for decide. */
  | { readonly kind: 'wait' }
  | { readonly kind: 'held'; readonly waitMs: number };

interface SenderAnswer {
  readonly outcome: Outcome;
  readonly status: number;
}

/** A burst: this many answers within a block, and this share of them rejections with one status. */
const LEAST_ANSWERS = 20;
const MOST_OF_KNOWN = 0.5;
const MOST_OF_ALL = 0.9;
/** Statuses that blame the sender, not the one message: bad VAPID, a bad request, the wrong sender. */
const ofTheSender: ReadonlySet<number> = new Set([400, 401, 403]);
export const rejectsSender = (status: number): boolean => ofTheSender.has(status);

/** Messages of a block that probe, where no endpoint is trusted. */
const BLOCK_PROBES = 3;
/** Further ones that the first pause allows. The last doubling allows 384, every five minutes at most. */
const FIRST_EXTRA_PROBES = 6;
const FIRST_HALT_MS = 5_000;
const MAX_HALT_MS = 300_000;
const MAX_DOUBLINGS = 6;
/** For half a minute no trusted endpoint had a message to probe with. In tenths of a second. */
const ANYBODY_AFTER_TICKS = 300;
/** Acceptances a rejection, for it to be an endpoint's own fault. */
const ACCEPTED_EACH = 1;
const ACCEPTED_EACH_OF_KNOWN = 4;
const MOST_REMEMBERED = 4_096;

interface Tally {
  inFlight: number;
  answers: number;
  accepted: number;
  /** That this block may send, and how many of these were sent: a small window takes them in several turns. */
  probes: number;
  probed: number;
  readonly byStatus: Map<number, number>;
}

/**
 * A trusted endpoint exists for this sender. Earlier answers of others count no more: rejections of invented
 * endpoints would hold back readers while no trusted endpoint has a message left to probe with.
 */
export function believe(state: ChannelState, { channel, key }: Sender): void {
  const at = (which: SenderWord): number => senderWordIndex(channel, key, which);
  if (Atomics.exchange(state.words, at(senderWord.hasKnown), 1) === 1) return;
  for (const which of [senderWord.pausesInRow, senderWord.paused, senderWord.rejected])
    Atomics.store(state.words, at(which), 0);
}

/**
 * For one attempt at one block.
 * @param answerTimeoutMs from probe to answer: the others wait for this time.
 */
export function createRejections(
  state: ChannelState,
  answerTimeoutMs: number,
  now: () => number = systemClock.now,
  random: () => number = Math.random,
): Rejections {
  const tallies = new Map<number, Tally>();

  const at = ({ channel, key }: Sender, which: SenderWord): number => senderWordIndex(channel, key, which);
  const read = (sender: Sender, which: SenderWord): number => Atomics.load(state.words, at(sender, which));
  const write = (sender: Sender, which: SenderWord, value: number): void => {
    Atomics.store(state.words, at(sender, which), value);
  };
  const hasKnown = (sender: Sender): boolean => read(sender, senderWord.hasKnown) !== 0;

  function tallyOf(sender: Sender, isKnown: boolean): Tally {
    const index = at(sender, senderWord.accepted) * 2 + (isKnown ? 1 : 0);
    const known = tallies.get(index);
    if (known !== undefined) return known;
    const tally = {
      inFlight: 0,
      answers: 0,
      accepted: 0,
      probes: 0,
      probed: 0,
      byStatus: new Map<number, number>(),
    };
    tallies.set(index, tally);
    return tally;
  }

  function allowance(sender: Sender, isKnown: boolean): SenderAllowance {
    if (read(sender, senderWord.paused) === 0) return { kind: 'open' };
    const tally = tallyOf(sender, isKnown);
    return hasKnown(sender) ? allowedByKnown(sender, isKnown, tally) : allowedByBlock(sender, tally);
  }

  function allowedByBlock(sender: Sender, tally: Tally): SenderAllowance {
    if (tally.accepted > 0 && !isBurst(tally, MOST_OF_ALL)) return { kind: 'open' };
    if (tally.inFlight > 0) return { kind: 'wait' };
    if (tally.probed < tally.probes) return { kind: 'probe', limit: tally.probes - tally.probed };
    const waitMs = msUntilTick(state, read(sender, senderWord.pausedUntil), now());
    if (tally.answers > 0 || tally.probes > 0) return { kind: 'held', waitMs };
    tally.probes = BLOCK_PROBES + takeExtraProbes(sender);
    return { kind: 'probe', limit: tally.probes };
  }

  /** Half of what is left, so that other blocks find some. */
  function takeExtraProbes(sender: Sender): number {
    const left = read(sender, senderWord.extraProbes);
    const taken = left >> 1;
    const index = at(sender, senderWord.extraProbes);
    return Atomics.compareExchange(state.words, index, left, left - taken) === left ? taken : 0;
  }

  function allowedByKnown(sender: Sender, isKnown: boolean, tally: Tally): SenderAllowance {
    if (tally.inFlight > 0) return { kind: 'wait' };
    const until = read(sender, senderWord.pausedUntil);
    const mayProbeAt = isKnown ? until : until + ANYBODY_AFTER_TICKS;
    const waitMs = msUntilTick(state, mayProbeAt, now());
    if (waitMs > 0) return { kind: 'held', waitMs };
    const heldOff = tickAt(state, now() + answerTimeoutMs);
    const index = at(sender, senderWord.pausedUntil);
    if (Atomics.compareExchange(state.words, index, until, heldOff) !== until)
      return { kind: 'held', waitMs: answerTimeoutMs };
    tally.probes++;
    return { kind: 'probe', limit: 1 };
  }

  function answered(sender: Sender, isKnown: boolean, { outcome, status }: SenderAnswer): number | null {
    const tally = tallyOf(sender, isKnown);
    const rejected = outcome === 'rejected' && rejectsSender(status);
    tally.inFlight--;
    if (outcome === 'unsent') return null;
    tally.answers++;
    if (outcome === 'accepted') {
      tally.accepted++;
      remember(sender, senderWord.accepted);
    } else if (rejected) {
      tally.byStatus.set(status, (tally.byStatus.get(status) ?? 0) + 1);
      remember(sender, senderWord.rejected);
    }
    if (read(sender, senderWord.paused) !== 0)
      return decidePause(sender, tally, outcome, rejected ? status : 0);
    if (!rejected || !isBurstOf(sender, isKnown, tally)) return null;
    pause(sender, status);
    return status;
  }

  function isBurstOf(sender: Sender, isKnown: boolean, tally: Tally): boolean {
    if (isKnown) return isBurst(tally, MOST_OF_KNOWN);
    return !hasKnown(sender) && isBurst(tally, MOST_OF_ALL) && !acceptsATenth(sender);
  }

  /** Requests in flight when it was paused decide nothing: only probes do. */
  function decidePause(sender: Sender, tally: Tally, outcome: Outcome, rejectedWith: number): number | null {
    if (outcome === 'accepted' && (hasKnown(sender) ? tally.probes > 0 : acceptsATenth(sender))) lift(sender);
    if (rejectedWith === 0) return null;
    if (tally.probes === 0) return rejectedWith;
    const isOver = msUntilTick(state, read(sender, senderWord.pausedUntil), now()) === 0;
    if (hasKnown(sender) || isOver) pause(sender, rejectedWith);
    return rejectedWith;
  }

  function acceptsATenth(sender: Sender): boolean {
    const accepted = read(sender, senderWord.accepted);
    return accepted > 0 && accepted * 9 >= read(sender, senderWord.rejected);
  }

  function pause(sender: Sender, status: number): void {
    const doublings = Math.min(
      Atomics.add(state.words, at(sender, senderWord.pausesInRow), 1),
      MAX_DOUBLINGS,
    );
    write(sender, senderWord.extraProbes, FIRST_EXTRA_PROBES << doublings);
    const ceilingMs = backOffMs(FIRST_HALT_MS, MAX_HALT_MS, doublings);
    const forMs = ceilingMs * (0.5 + random() / 2);
    write(sender, senderWord.pausedUntil, tickAt(state, now() + forMs));
    write(sender, senderWord.paused, status);
  }

  function lift(sender: Sender): void {
    write(sender, senderWord.pausesInRow, 0);
    write(sender, senderWord.paused, 0);
    // Earlier rejections may have been our own fault.
    write(sender, senderWord.rejected, 0);
  }

  function remember(sender: Sender, which: SenderWord): void {
    if (Atomics.add(state.words, at(sender, which), 1) < MOST_REMEMBERED) return;
    write(sender, senderWord.accepted, read(sender, senderWord.accepted) >> 1);
    write(sender, senderWord.rejected, read(sender, senderWord.rejected) >> 1);
  }

  return {
    allowance,
    sent(sender, isKnown) {
      const tally = tallyOf(sender, isKnown);
      tally.inFlight++;
      if (tally.probed < tally.probes) tally.probed++;
    },
    answered,
    pausedWith: (sender) => read(sender, senderWord.paused),
    isOwnFault(sender, isKnown) {
      const accepted = read(sender, senderWord.accepted);
      const each = isKnown ? ACCEPTED_EACH_OF_KNOWN : ACCEPTED_EACH;
      const isWell = read(sender, senderWord.paused) === 0 && accepted > 0;
      return isWell && accepted >= each * read(sender, senderWord.rejected);
    },
  };
}

const isBurst = ({ answers, byStatus }: Tally, most: number): boolean =>
  answers >= LEAST_ANSWERS && Math.max(0, ...byStatus.values()) > answers * most;
