import type { ChannelBoard } from '../contract/channel-board.ts';
import type { SubscriptionKeys } from './encrypt.ts';
import type { Governor } from './governor.ts';
import type { Letterhead } from './letterheads.ts';
import type { ResultSheet } from './result-sheet.ts';
import type { Window } from './window.ts';

/** A message of the block in hand: which entry of the block it is, and where it goes. */
export interface Envelope extends SubscriptionKeys {
  readonly index: number;
  readonly letterhead: Letterhead;
  readonly headers: string[];
  readonly path: string;
}

/** The messages of one block that wait to be sent, by channel: one that must wait holds up no other. */
export interface Queues {
  /** The next messages that may go out, at most `count`; each holds a place in the window. */
  take(count: number): Envelope[];
  isEmpty(): boolean;
  /** Resolves when it is worth another `take`. */
  changed(): Promise<void>;
  /** Nobody sends the rest of this channel's messages in this attempt. */
  drop(channel: number): number;
}

export interface QueuesDeps {
  readonly board: ChannelBoard;
  readonly governor: Governor;
  readonly window: Window;
  readonly random: () => number;
}

interface Queue {
  readonly channel: number;
  /** Names the channel in the thread's window. */
  readonly place: string;
  readonly service: Letterhead['service'];
  envelopes: Envelope[];
  next: number;
  /** Its probes are out: what else waits here waits for their answers. */
  probing: boolean;
}

export const placeOfChannel = (board: ChannelBoard, channel: number): string => `${board.appId} ${channel}`;

/** @param envelopes in the order in which they are to be sent */
export function createQueues(
  envelopes: readonly Envelope[],
  sheet: ResultSheet,
  { board, governor, window, random }: QueuesDeps,
): Queues {
  const queues = sortByChannel(envelopes, board);
  let turn = 0;

  function takeOf(queue: Queue, count: number, batch: Envelope[]): void {
    const allowance = governor.allowance(board, queue.channel);
    if (allowance.kind === 'held') {
      if (queue.probing && window.inFlight(queue.place) > 0) return;
      sheet.addRetryAfter(queue.service, allowance.waitMs);
      sheet.addHeld(queue.envelopes.length - queue.next);
      queue.envelopes = [];
      return;
    }
    queue.probing = allowance.kind === 'probe';
    // Not the first ones each time: a probe that fails for a reason of its own must not stand for all.
    if (queue.probing) shuffle(queue, allowance.limit);
    const room = queue.probing ? allowance.limit : window.room(queue.place, allowance.limit);
    const end = Math.min(queue.next + Math.min(room, count), queue.envelopes.length);
    for (; queue.next < end; queue.next++) {
      window.take(queue.place);
      batch.push(queue.envelopes[queue.next] as Envelope);
    }
  }

  function shuffle({ envelopes: all, next }: Queue, count: number): void {
    for (let at = next; at < Math.min(next + count, all.length); at++) {
      const other = at + Math.floor(random() * (all.length - at));
      [all[at], all[other]] = [all[other] as Envelope, all[at] as Envelope];
    }
  }

  const waiting = (): Queue[] => queues.filter((queue) => queue.next < queue.envelopes.length);

  return {
    take(count) {
      const batch: Envelope[] = [];
      const open = waiting();
      // Each turn begins with another channel, so that none is always the one for whom no place is left.
      for (let at = 0; at < open.length && batch.length < count; at++) {
        takeOf(open[(at + turn) % open.length] as Queue, count - batch.length, batch);
      }
      turn++;
      return batch;
    },
    isEmpty: () => waiting().length === 0,
    changed: () => window.changed(waiting().map(({ place }) => place)),
    drop(channel) {
      const queue = queues.find((one) => one.channel === channel);
      if (queue === undefined) return 0;
      const dropped = queue.envelopes.length - queue.next;
      queue.envelopes = [];
      return dropped;
    },
  };
}

function sortByChannel(envelopes: readonly Envelope[], board: ChannelBoard): Queue[] {
  const queues = new Map<number, Queue>();
  for (const envelope of envelopes) {
    const { channel, service } = envelope.letterhead;
    const queue = queues.get(channel);
    if (queue !== undefined) queue.envelopes.push(envelope);
    else {
      const place = placeOfChannel(board, channel);
      queues.set(channel, { channel, place, service, envelopes: [envelope], next: 0, probing: false });
    }
  }
  return [...queues.values()];
}
