/**
 * What is known of one app's ways to its push services, in memory that the main thread and all worker threads
 * share: a worker that is told to wait tells every other one in the same moment, and nothing is sent to say so.
 *
 * A **channel** is one app's way to one push service: the four known ones have a place each, any other one has
 * a place by its origin, taken by whoever sends to it first. The 27 places for those are a bound: later ones
 * share channel 0.
 *
 * Every word is written with Atomics and may be lost without harm: after the death of a process, or when a
 * board was put out of the map of boards, its engine learns again what a push service bears.
 */
export interface ChannelBoard {
  readonly appId: number;
  /** The board's zero of time, in ms since 1970. */
  readonly sinceMs: number;
  readonly words: Int32Array<SharedArrayBuffer>;
}

export const CHANNELS = 32;
/** Channels below are those of `pushServices`, by index; 0 is 'other', for whom no place is left. */
export const NAMED_CHANNELS = 5;
/**
 * Of each channel, the app's key pairs are judged apart: what is said of one pair says nothing of another. A pair has
 * its place by the last two bits of its number; an app has one pair mostly, and a few while they change.
 */
export const SENDERS = 4;
const WORDS_OF_CHANNEL = 12;
const WORDS_PER_SENDER = 6;
const WORDS_PER_CHANNEL = WORDS_OF_CHANNEL + SENDERS * WORDS_PER_SENDER;
/** Times are kept in tenths of a second: 32 bits of them last for 6.8 years. */
const TICK_MS = 100;

/** The words of a channel. */
export const word = Object.freeze({
  /** Hash of the origin that took the place; 0: free. */
  origin: 0,
  /** Requests in flight that a thread may have here; 0: nothing was sent here yet. */
  limit: 1,
  /** Nothing is sent before: told to wait, or the breaker is open. */
  pausedUntil: 2,
  /** 0 closed, 1 open: after `pausedUntil` a few probes decide. */
  breaker: 3,
  /** Requests without a usable answer since the last one with. */
  failedInRow: 4,
  /** Pauses and openings since the last time that it went well: each lasts twice as long. */
  pausesInRow: 5,
  /** Rises with each throttled answer, sinks with each accepted one. */
  trouble: 6,
  /** When it was last throttled. */
  throttledAt: 7,
  /** Pauses and openings there ever were. */
  pauses: 8,
  /** When the limit was last lowered: the failures of one window lower it once. 0: never yet. */
  loweredAt: 9,
  /** 1: some endpoint here accepted before. From then on those that never did are on probation. */
  hasKnown: 10,
  /** Requests in flight that a thread may have to those on probation; 0: none was sent yet. */
  probation: 11,
});
export type Word = (typeof word)[keyof typeof word];

/** The words of one key pair at a channel. */
export const senderWord = Object.freeze({
  /** Endpoints that accepted, and that rejected the sender, lately: halved together where they are many. */
  accepted: 0,
  rejected: 1,
  /** 1: some endpoint that is bound to the pair accepted before: such ones are who is believed. */
  hasKnown: 2,
  /** The status with which the sender was rejected; 0: it is not halted. */
  halted: 3,
  /** Nothing is sent before, then a probe. */
  haltedUntil: 4,
  /** Halts since it last went well: each lasts twice as long. */
  haltsInRow: 5,
});
export type SenderWord = (typeof senderWord)[keyof typeof senderWord];

/** Where a word of a key pair is, among the words of a board. */
export const placeOfSender = (channel: number, sender: number, which: SenderWord): number =>
  channel * WORDS_PER_CHANNEL + WORDS_OF_CHANNEL + (sender % SENDERS) * WORDS_PER_SENDER + which;

export function createChannelBoard(appId: number, nowMs: number): ChannelBoard {
  const bytes = CHANNELS * WORDS_PER_CHANNEL * Int32Array.BYTES_PER_ELEMENT;
  // A little earlier: so 0 is always past, and no time on the board is 0.
  return { appId, sinceMs: nowMs - 1_000, words: new Int32Array(new SharedArrayBuffer(bytes)) };
}

export const placeOf = (channel: number, which: Word): number => channel * WORDS_PER_CHANNEL + which;
export const readWord = (board: ChannelBoard, channel: number, which: Word): number =>
  Atomics.load(board.words, placeOf(channel, which));
export const writeWord = (board: ChannelBoard, channel: number, which: Word, value: number): void => {
  Atomics.store(board.words, placeOf(channel, which), value);
};

/** Rounded up: nobody comes back too early. */
export const tickAt = (board: ChannelBoard, ms: number): number => Math.ceil((ms - board.sinceMs) / TICK_MS);
/** How long the channel is paused from now on; 0: it is not. */
export const pauseLeftMs = (board: ChannelBoard, channel: number, nowMs: number): number =>
  msUntilTick(board, readWord(board, channel, word.pausedUntil), nowMs);
/** How long ago a time was that the board keeps; negative: it is to come. */
export const msSinceTick = (board: ChannelBoard, tick: number, nowMs: number): number =>
  nowMs - board.sinceMs - tick * TICK_MS;
/** From now until a time that the board keeps; 0: it is past. */
export const msUntilTick = (board: ChannelBoard, tick: number, nowMs: number): number =>
  Math.max(0, -msSinceTick(board, tick, nowMs));

const THROTTLED_LATELY_MS = 300_000;

/** Whether it was throttled in the last minutes: what it bears now is little. */
export function wasThrottledLately(board: ChannelBoard, channel: number, nowMs: number): boolean {
  const at = readWord(board, channel, word.throttledAt);
  return at !== 0 && at >= tickAt(board, nowMs - THROTTLED_LATELY_MS);
}

/** The channel of a push service without a place of its own; takes a free place for an origin not seen yet. */
export function channelOfOrigin(board: ChannelBoard, origin: string): number {
  const mark = hashOf(origin);
  const places = CHANNELS - NAMED_CHANNELS;
  const first = (mark >>> 0) % places;
  for (let step = 0; step < places; step++) {
    const channel = NAMED_CHANNELS + ((first + step) % places);
    const taken = Atomics.compareExchange(board.words, placeOf(channel, word.origin), 0, mark);
    if (taken === 0 || taken === mark) return channel;
  }
  return 0;
}

/** FNV-1a over UTF-16 units; never 0, which stands for a free place. */
function hashOf(text: string): number {
  let hash = 0x811c9dc5;
  for (let index = 0; index < text.length; index++) {
    hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193);
  }
  return hash === 0 ? 1 : hash;
}
