/**
 * What the engine has learned about an app's push services, in memory that the main thread and all worker
 * threads share: when one worker pauses a channel, all others see it at once without a message.
 *
 * A **channel** is what one app sends to one push service. Each named service has a channel of its own; any other
 * origin takes one of the 27 unnamed channels the first time it is used. Once those are taken, later origins
 * share channel 0.
 *
 * Every word is written with Atomics and may be lost without harm: after a process dies, or when the map of
 * apps evicts one, its engine learns the limits again.
 */
export interface ChannelState {
  readonly appId: number;
  /** The zero of its times, in ms since 1970. */
  readonly sinceMs: number;
  readonly words: Int32Array<SharedArrayBuffer>;
}

export const CHANNELS = 32;
/**
 * Channels below this one are those of `pushServices`, by index; 0 is 'other', for origins that found no free
 * channel.
 */
export const NAMED_CHANNELS = 5;
/**
 * Within a channel each key pair of the app is judged separately: a rejection of one pair says nothing about
 * another. A pair is found by the last two bits of its number; an app mostly has one pair, and a few during a
 * rotation.
 */
export const SENDERS = 4;
const WORDS_OF_CHANNEL = 12;
const WORDS_PER_SENDER = 7;
const WORDS_PER_CHANNEL = WORDS_OF_CHANNEL + SENDERS * WORDS_PER_SENDER;
/** Times are kept in tenths of a second: 32 bits of them last for 6.8 years. */
const TICK_MS = 100;

/** The words of a channel. */
export const word = Object.freeze({
  /** Hash of the origin that has this channel; 0: free. */
  origin: 0,
  /** Requests in flight that a thread may have here; 0: nothing was sent here yet. */
  limit: 1,
  /** Nothing is sent before this: the service asked for a pause, or the breaker is open. */
  pausedUntil: 2,
  /** 0 closed, 1 open: after `pausedUntil` a few probes decide. */
  breaker: 3,
  /** Requests in a row without a usable answer. */
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
  /** 1: some endpoint here has accepted before. From then on endpoints that never did are on probation. */
  hasKnown: 10,
  /** Requests in flight that a thread may have to endpoints on probation; 0: none was sent yet. */
  probation: 11,
});
export type Word = (typeof word)[keyof typeof word];

/** The words of one key pair at a channel. */
export const senderWord = Object.freeze({
  /** Endpoints that accepted, and that rejected the sender, lately: halved together where they are many. */
  accepted: 0,
  rejected: 1,
  /**
   * 1: some endpoint that is bound to the pair has accepted before: only such endpoints are trusted about the
   * pair.
   */
  hasKnown: 2,
  /** The status with which the sender was rejected; 0: it is not paused. */
  paused: 3,
  /** Nothing is sent before, then a probe. */
  pausedUntil: 4,
  /** Pauses since it last went well: each lasts twice as long. */
  pausesInRow: 5,
  /** Probes beyond each block's own that this pause still allows. */
  extraProbes: 6,
});
export type SenderWord = (typeof senderWord)[keyof typeof senderWord];

/** Index of a key pair's word among the words of an app. */
export const senderWordIndex = (channel: number, sender: number, which: SenderWord): number =>
  channel * WORDS_PER_CHANNEL + WORDS_OF_CHANNEL + (sender % SENDERS) * WORDS_PER_SENDER + which;

export function createChannelState(appId: number, nowMs: number): ChannelState {
  const bytes = CHANNELS * WORDS_PER_CHANNEL * Int32Array.BYTES_PER_ELEMENT;
  // A little earlier: so 0 is always past, and no time in the channel state is 0.
  return { appId, sinceMs: nowMs - 1_000, words: new Int32Array(new SharedArrayBuffer(bytes)) };
}

export const wordIndex = (channel: number, which: Word): number => channel * WORDS_PER_CHANNEL + which;
export const readWord = (state: ChannelState, channel: number, which: Word): number =>
  Atomics.load(state.words, wordIndex(channel, which));
export const writeWord = (state: ChannelState, channel: number, which: Word, value: number): void => {
  Atomics.store(state.words, wordIndex(channel, which), value);
};

/** Rounded up, so that nothing is sent too early. */
export const tickAt = (state: ChannelState, ms: number): number => Math.ceil((ms - state.sinceMs) / TICK_MS);
/** How long the channel is paused from now on; 0: it is not. */
export const pauseLeftMs = (state: ChannelState, channel: number, nowMs: number): number =>
  msUntilTick(state, readWord(state, channel, word.pausedUntil), nowMs);
/** How long ago a time was that the state keeps; negative: it is to come. */
export const msSinceTick = (state: ChannelState, tick: number, nowMs: number): number =>
  nowMs - state.sinceMs - tick * TICK_MS;
/** From now until a time that the state keeps; 0: it is past. */
export const msUntilTick = (state: ChannelState, tick: number, nowMs: number): number =>
  Math.max(0, -msSinceTick(state, tick, nowMs));

const THROTTLED_LATELY_MS = 300_000;

/** Whether it was throttled in the last minutes: its capacity is low now. */
export function wasThrottledLately(state: ChannelState, channel: number, nowMs: number): boolean {
  const at = readWord(state, channel, word.throttledAt);
  return at !== 0 && at >= tickAt(state, nowMs - THROTTLED_LATELY_MS);
}

/** The channel of a push service that is not named; takes a free channel for a new origin. */
export function channelOfOrigin(state: ChannelState, origin: string): number {
  const mark = hashOf(origin);
  const unnamed = CHANNELS - NAMED_CHANNELS;
  const first = (mark >>> 0) % unnamed;
  for (let step = 0; step < unnamed; step++) {
    const channel = NAMED_CHANNELS + ((first + step) % unnamed);
    const taken = Atomics.compareExchange(state.words, wordIndex(channel, word.origin), 0, mark);
    if (taken === 0 || taken === mark) return channel;
  }
  return 0;
}

/** FNV-1a over UTF-16 units; never 0, which means free. */
function hashOf(text: string): number {
  let hash = 0x811c9dc5;
  for (let index = 0; index < text.length; index++) {
    hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193);
  }
  return hash === 0 ? 1 : hash;
}
