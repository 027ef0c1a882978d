import type { Letterhead } from './letterheads.ts';
import type { ChannelHalt } from './protocol.ts';

/** A burst: most of at least so many answers of one channel within a block are rejections of one status. */
const LEAST_ANSWERS = 20;
const MOST = 0.5;
/** What says that the sender is wrong, not the one message: bad VAPID, a bad request, the wrong sender. */
const ofTheSender: ReadonlySet<number> = new Set([400, 401, 403]);

/** Notices when a push service rejects whatever it is sent: it would reject the rest as well. */
export interface Rejections {
  /** Of each answer. @returns the burst that it completes, once a channel. */
  answered(letterhead: Letterhead, status: number, text: string): ChannelHalt | null;
}

interface Tally {
  answers: number;
  readonly byStatus: Map<number, number>;
  halted: boolean;
}

/** For one attempt at one block. */
export function createRejections(): Rejections {
  const tallies = new Map<number, Tally>();

  return {
    answered({ channel, service }, status, text) {
      const tally = tallies.get(channel) ?? { answers: 0, byStatus: new Map(), halted: false };
      tallies.set(channel, tally);
      tally.answers++;
      if (!ofTheSender.has(status)) return null;
      const rejected = (tally.byStatus.get(status) ?? 0) + 1;
      tally.byStatus.set(status, rejected);
      if (tally.halted || tally.answers < LEAST_ANSWERS || rejected <= tally.answers * MOST) return null;
      tally.halted = true;
      return { channel, service, status, text };
    },
  };
}
