import type { Lane } from '../contract/topics.ts';

/**
 * Bounds the requests in flight on a thread, over all its tasks: they wait for answers in memory. Counted by
 * channel as well, so that a channel that does not answer cannot fill the window: an eighth of it is kept for
 * channels with few requests in flight. And counted by lane: an eighth is kept for breaking blocks, so that
 * push services that hang under bulk ones delay none of them, and a quarter for bulk.
 */
export interface Windows {
  /** The window as blocks of this lane see it. */
  of(lane: Lane): Window;
  /** Over both lanes. */
  inFlight(): number;
}

export interface Window {
  /** Places that a channel may take now, where it may have `limit`. */
  room(channel: string, limit: number): number;
  take(channel: string): void;
  give(channel: string): void;
  /** Resolves when some of the lane's requests in one of these channels have ended. */
  changed(channels: readonly string[]): Promise<void>;
  /** Over both lanes. */
  inFlight(channel: string): number;
}

/** A channel's share of the reserved eighth. */
const FEW = 16;
/** Woken for each answer, a task would encrypt one message at a time. */
const WAKE_AFTER = 16;
/**
 * A breaking block may use this share of a channel's limit though bulk ones have used it up: it exceeds the
 * limit by that then.
 */
const LIMIT_SHARE = 4;

interface Waiter {
  readonly lane: Lane;
  readonly left: Map<string, number>;
  readonly wake: () => void;
}

/** A lane's requests in flight by channel: at most as many channels as the window has permits. */
interface InLane {
  used: number;
  readonly byChannel: Map<string, number>;
}

const other = (lane: Lane): Lane => (lane === 'bulk' ? 'breaking' : 'bulk');

/** Waiters are bounded by the tasks that run on the thread: each waits once. */
export function createWindow(size: number): Windows {
  const keptForFew = size >> 3;
  const keptFor: Readonly<Record<Lane, number>> = { breaking: partOf(size, 3), bulk: partOf(size, 2) };
  const lanes: Readonly<Record<Lane, InLane>> = {
    breaking: { used: 0, byChannel: new Map() },
    bulk: { used: 0, byChannel: new Map() },
  };
  const waiters = new Set<Waiter>();

  const inFlight = (): number => lanes.breaking.used + lanes.bulk.used;
  const ownOf = (lane: Lane, channel: string): number => lanes[lane].byChannel.get(channel) ?? 0;
  const inChannel = (channel: string): number => ownOf('breaking', channel) + ownOf('bulk', channel);
  const unusedShare = (lane: Lane): number => Math.max(0, keptFor[lane] - lanes[lane].used);

  /** The rest after the bound and the shares: the other lane's share is not touched, used or not. */
  function roomInWindow(lane: Lane, channel: string): number {
    const free = size - inFlight() - unusedShare(other(lane));
    const ofFew = Math.min(free, FEW - inChannel(channel));
    // Of the lane's own share, too, one channel leaves half to others.
    const ofShare = Math.min(unusedShare(lane), Math.ceil(keptFor[lane] / 2) - ownOf(lane, channel));
    return Math.max(free - keptForFew, ofFew, ofShare);
  }

  function roomInChannel(lane: Lane, channel: string, limit: number): number {
    const left = limit - inChannel(channel);
    return lane === 'bulk' ? left : Math.max(left, Math.ceil(limit / LIMIT_SHARE) - ownOf(lane, channel));
  }

  function release(waiter: Waiter, lane: Lane, channel: string): void {
    const left = waiter.lane === lane ? waiter.left.get(channel) : undefined;
    // A channel without a request of the lane in flight waits for any other channel's to end.
    const others = left === undefined && [...waiter.left.values()].includes(0);
    if (left === undefined && !others) return;
    if (left !== undefined && left > 1) waiter.left.set(channel, left - 1);
    else {
      waiters.delete(waiter);
      waiter.wake();
    }
  }

  const windowOf = (lane: Lane): Window => ({
    room: (channel, limit) =>
      Math.max(0, Math.min(roomInChannel(lane, channel, limit), roomInWindow(lane, channel))),
    take(channel) {
      lanes[lane].used++;
      lanes[lane].byChannel.set(channel, ownOf(lane, channel) + 1);
    },
    give(channel) {
      lanes[lane].used--;
      const own = ownOf(lane, channel) - 1;
      if (own > 0) lanes[lane].byChannel.set(channel, own);
      else lanes[lane].byChannel.delete(channel);
      for (const waiter of waiters) release(waiter, lane, channel);
    },
    changed(channels) {
      return new Promise((wake) => {
        const left = new Map(channels.map((channel) => [channel, enough(ownOf(lane, channel))]));
        waiters.add({ lane, left, wake });
      });
    },
    inFlight: inChannel,
  });
  const windows = { breaking: windowOf('breaking'), bulk: windowOf('bulk') };

  return { of: (lane) => windows[lane], inFlight };
}

/** At least one, except for a window of one, which has nothing to share. */
const partOf = (size: number, halvings: number): number => (size === 1 ? 0 : Math.max(1, size >> halvings));

const enough = (own: number): number => Math.min(WAKE_AFTER, Math.ceil(own / 2));
