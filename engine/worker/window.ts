/**
 * Requests in flight on a thread, over all its tasks: the bound on what waits for answers in memory. Counted by
 * channel as well, so that one that does not answer cannot fill the window: an eighth of it is kept for channels
 * that have few requests in flight.
 */
export interface Window {
  /** Places that a channel may take now, where it may have `limit`. */
  room(channel: string, limit: number): number;
  take(channel: string): void;
  give(channel: string): void;
  /** Resolves when some of the places of one of these channels were given back. */
  changed(channels: readonly string[]): Promise<void>;
  inFlight(channel?: string): number;
}

/** What a channel may have of the eighth that is kept. */
const FEW = 16;
/** Woken for each answer, a task would encrypt one message at a time. */
const WAKE_AFTER = 16;

interface Waiter {
  readonly left: Map<string, number>;
  readonly wake: () => void;
}

/** Waiters are bounded by the tasks that run on the thread: each waits at one place only. */
export function createWindow(size: number): Window {
  const kept = size >> 3;
  /** Channels with something in flight, so at most as many as the window has places. */
  const byChannel = new Map<string, number>();
  const waiters = new Set<Waiter>();
  let used = 0;

  const inFlight = (channel: string): number => byChannel.get(channel) ?? 0;

  function tell(waiter: Waiter, channel: string): void {
    const left = waiter.left.get(channel);
    // A channel without a request in flight waits for a place of any other one.
    const others = left === undefined && [...waiter.left.values()].includes(0);
    if (left === undefined && !others) return;
    if (left !== undefined && left > 1) waiter.left.set(channel, left - 1);
    else {
      waiters.delete(waiter);
      waiter.wake();
    }
  }

  return {
    room(channel, limit) {
      const own = inFlight(channel);
      const ofAll = size - kept - used;
      const ofKept = Math.min(size - used, FEW - own);
      return Math.max(0, Math.min(limit - own, Math.max(ofAll, ofKept)));
    },
    take(channel) {
      used++;
      byChannel.set(channel, inFlight(channel) + 1);
    },
    give(channel) {
      used--;
      const own = inFlight(channel) - 1;
      if (own > 0) byChannel.set(channel, own);
      else byChannel.delete(channel);
      for (const waiter of waiters) tell(waiter, channel);
    },
    changed(channels) {
      return new Promise((wake) => {
        const left = new Map(channels.map((channel) => [channel, enough(inFlight(channel))]));
        waiters.add({ left, wake });
      });
    },
    inFlight: (channel) => (channel === undefined ? used : inFlight(channel)),
  };
}

const enough = (own: number): number => Math.min(WAKE_AFTER, Math.ceil(own / 2));
