import { type ChannelState, readWord, word } from '../contract/channel-state.ts';
import type { Clock } from '../contract/concurrency/clock.ts';
import type { Lane } from '../contract/topics.ts';
import type { Governor } from './governor.ts';
import type { Envelope, Outgoing } from './message.ts';
import type { OriginHealth, Origins } from './origin-health.ts';
import type { Permits } from './permits.ts';
import type { Probation } from './probation.ts';
import type { TextRefusal } from './reader-texts.ts';
import type { Rejections } from './rejections.ts';
import type { ResultSheet } from './result-sheet.ts';
import type { SharedHeaders } from './shared-headers.ts';
import type { Window } from './window.ts';

/** The messages of one block that wait to be sent, by channel: one that must wait holds up no other. */
export interface Queues {
  /** The next messages that may go out, at most `count`. */
  take(count: number): Outgoing[];
  isEmpty(): boolean;
  /** Resolves when it is worth another `take`. */
  changed(): Promise<void>;
}

/** Why a message is not sent at all: no key pair signs it, its origin cannot be reached now, or it has no text. */
export type Refusal = 'not-signed' | 'not-connected' | TextRefusal;

export interface QueuesDeps {
  readonly state: ChannelState;
  readonly governor: Governor;
  readonly window: Window;
  readonly probation: Probation;
  readonly rejections: Rejections;
  readonly origins: Origins;
  readonly permits: Permits;
  readonly textOf: (envelope: Envelope) => Uint8Array | TextRefusal;
  readonly random: () => number;
  /** A monotonic clock: a grace period by the wall clock would last as long as that clock is wrong. */
  readonly clock: Clock;
  /** The lane whose requests on probation are counted: bulk blocks that wait for answers delay no breaking one. */
  readonly lane: Lane;
  /** No push service is called, so no endpoint is on probation. */
  readonly rehearsal: boolean;
  /** Ends a message that cannot be sent. */
  readonly refuse: (envelope: Envelope, why: Refusal) => void;
}

interface Queue {
  readonly channel: number;
  /** Which key pair of the app signs. */
  readonly key: number;
  readonly isKnown: boolean;
  readonly onProbation: boolean;
  /** Names the channel in the thread's window. */
  readonly windowKey: string;
  readonly service: SharedHeaders['service'];
  envelopes: Envelope[];
  next: number;
  /** Its probes are in flight: everything else here waits for their answers. */
  probing: boolean;
}

/** How long endpoints on probation alone may keep a block open, where many of them fail. */
const GRACE_MS = 1_000;

export const windowKeyOf = (state: ChannelState, channel: number): string => `${state.appId} ${channel}`;

/**
 * @param envelopes in the order in which they are to be sent.
 */
export function createQueues(envelopes: readonly Envelope[], sheet: ResultSheet, deps: QueuesDeps): Queues {
  const { state, governor, window, probation, rejections, origins, permits, random, clock } = deps;
  const queues = new Map<number, Queue>();
  let discoveries = origins.discoveries();
  let graceEndsAt: number | null = null;
  let turn = 0;
  for (const envelope of byOrigin(envelopes)) enqueue(envelope);

  function enqueue(envelope: Envelope): void {
    const { sharedHeaders, isKnown } = envelope;
    const channel = sharedHeaders.channel();
    const onProbation = isOnProbation(envelope, channel);
    const name = ((channel * 4 + sharedHeaders.key) * 2 + (isKnown ? 1 : 0)) * 2 + (onProbation ? 1 : 0);
    const queue = queues.get(name);
    if (queue !== undefined) {
      queue.envelopes.push(envelope);
      return;
    }
    const windowKey = windowKeyOf(state, channel);
    const { key, service } = sharedHeaders;
    const where = { channel, key, isKnown, onProbation, windowKey, service };
    queues.set(name, { ...where, envelopes: [envelope], next: 0, probing: false });
  }

  /** Endpoints that never accepted, where others did or where the origin never answered. */
  function isOnProbation({ isKnown, sharedHeaders }: Envelope, channel: number): boolean {
    if (isKnown || deps.rehearsal) return false;
    return !sharedHeaders.health.isReal || readWord(state, channel, word.hasKnown) !== 0;
  }

  /** An origin that answered meanwhile is one like the others. */
  function sortAgain(): void {
    if (discoveries === origins.discoveries()) return;
    discoveries = origins.discoveries();
    for (const queue of [...queues.values()]) {
      if (!queue.onProbation) continue;
      const left = queue.envelopes.slice(queue.next);
      queue.envelopes = [];
      queue.next = 0;
      for (const envelope of left) enqueue(envelope);
    }
  }

  /** How many of the queue may go out now. Null: none, and the rest was put off. */
  function roomOf(queue: Queue): number | null {
    const { channel, windowKey, isKnown } = queue;
    const allowance = governor.allowance(state, channel, queue.onProbation);
    if (allowance.kind === 'held') {
      if (queue.probing && window.inFlight(windowKey) > 0) return 0;
      hold(queue, allowance.waitMs);
      return null;
    }
    const said = deps.rehearsal ? openToAll : rejections.allowance(queue, isKnown);
    if (said.kind === 'wait') return 0;
    if (said.kind === 'held') {
      sheet.addPause({ channel, service: queue.service, status: rejections.pausedWith(queue), text: '' });
      hold(queue, said.waitMs);
      return null;
    }
    queue.probing = allowance.kind === 'probe';
    // Not the first ones each time: a probe that fails for a reason of its own must not decide for all.
    const probes = allowance.kind === 'probe' ? allowance.limit : said.kind === 'probe' ? said.limit : 0;
    if (probes > 0) shuffle(queue, probes);
    const room = probes > 0 ? probes : window.room(windowKey, allowance.limit);
    return queue.onProbation
      ? Math.min(room, probation.room(state, channel, probationKeyOf(windowKey)))
      : room;
  }

  function takeOf(queue: Queue, count: number, batch: Outgoing[]): void {
    const room = roomOf(queue);
    if (room === null) return;
    const most = batch.length + Math.min(room, count);
    for (; queue.next < queue.envelopes.length && batch.length < most; queue.next++) {
      const envelope = queue.envelopes[queue.next] as Envelope;
      const { sharedHeaders } = envelope;
      if (!deps.rehearsal && !origins.mayStart(sharedHeaders.health)) return;
      if (isClosed(queue, envelope)) continue;
      const plaintext = deps.textOf(envelope);
      if (typeof plaintext === 'string') {
        deps.refuse(envelope, plaintext);
        continue;
      }
      const headers = sharedHeaders.headers();
      if (headers === null) {
        deps.refuse(envelope, 'not-signed');
        continue;
      }
      const { channel, windowKey } = queue;
      const probationKey = queue.onProbation ? probationKeyOf(windowKey) : null;
      const outgoing = { envelope, plaintext, headers, channel, windowKey, probationKey };
      permits.take(outgoing);
      batch.push(outgoing);
    }
  }

  const probationKeyOf = (windowKey: string): string => `${deps.lane} ${windowKey}`;

  /** The origin cannot be reached now. If it ever answered, its messages wait. */
  function isClosed(queue: Queue, envelope: Envelope): boolean {
    const { health } = envelope.sharedHeaders;
    const waitMs = deps.rehearsal ? 0 : origins.closedForMs(health);
    if (waitMs === 0) return false;
    if (!health.isReal) deps.refuse(envelope, 'not-connected');
    else {
      if (!queue.onProbation) sheet.addRetryAfter(queue.service, waitMs);
      sheet.addHeld(1);
    }
    return true;
  }

  /** The rest of it stays unsent. */
  function hold(queue: Queue, waitMs: number): void {
    if (!queue.onProbation && waitMs > 0) sheet.addRetryAfter(queue.service, waitMs);
    sheet.addHeld(queue.envelopes.length - queue.next);
    queue.envelopes = [];
  }

  function shuffle({ envelopes: all, next }: Queue, count: number): void {
    for (let at = next; at < Math.min(next + count, all.length); at++) {
      const other = at + Math.floor(random() * (all.length - at));
      [all[at], all[other]] = [all[other] as Envelope, all[at] as Envelope];
    }
  }

  const waiting = (): Queue[] => [...queues.values()].filter((queue) => queue.next < queue.envelopes.length);
  const areAllUnproven = (open: readonly Queue[]): boolean =>
    open.length > 0 &&
    open.every(({ onProbation, channel }) => onProbation && probation.isUnproven(state, channel));

  /** A block of only such endpoints ends soon: it holds a slot that readers wait for. Its shard comes again. */
  function putOffProbation(open: readonly Queue[]): boolean {
    if (!areAllUnproven(open)) {
      graceEndsAt = null;
      return false;
    }
    graceEndsAt ??= clock.now() + GRACE_MS;
    if (clock.now() < graceEndsAt) return false;
    for (const queue of open) {
      sheet.addOnProbation(queue.envelopes.length - queue.next);
      hold(queue, 0);
    }
    return true;
  }

  return {
    take(count) {
      sortAgain();
      const batch: Outgoing[] = [];
      const open = waiting();
      if (putOffProbation(open)) return batch;
      // Each turn begins with another channel, so that no channel is always the one that finds the window full.
      for (let at = 0; at < open.length && batch.length < count; at++) {
        takeOf(open[(at + turn) % open.length] as Queue, count - batch.length, batch);
      }
      turn++;
      return batch;
    },
    isEmpty: () => waiting().length === 0,
    async changed() {
      const windowKeys = waiting().map(({ windowKey }) => windowKey);
      if (graceEndsAt === null) return window.changed(windowKeys);
      const { promise, resolve } = Promise.withResolvers<void>();
      const timer = clock.setTimer(Math.max(1, graceEndsAt - clock.now()), resolve);
      await Promise.race([window.changed(windowKeys), promise]);
      timer.clear();
    },
  };
}

const openToAll = { kind: 'open' } as const;

/**
 * Of origins that never answered, the one with the most messages comes first: invented names are many, and few
 * resolve. The order of the others stays.
 */
function byOrigin(envelopes: readonly Envelope[]): readonly Envelope[] {
  if (envelopes.every(({ sharedHeaders }) => sharedHeaders.health.isReal)) return envelopes;
  const counts = new Map<OriginHealth, number>();
  for (const { sharedHeaders } of envelopes)
    counts.set(sharedHeaders.health, (counts.get(sharedHeaders.health) ?? 0) + 1);
  const countOf = ({ sharedHeaders: { health } }: Envelope): number =>
    health.isReal ? Number.POSITIVE_INFINITY : (counts.get(health) ?? 0);
  return envelopes.toSorted((a, b) => (countOf(a) === countOf(b) ? 0 : countOf(b) - countOf(a)));
}
