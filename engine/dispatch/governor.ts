import {
  CHANNELS,
  type ChannelState,
  createChannelState,
  NAMED_CHANNELS,
  pauseLeftMs,
  readWord,
  wasThrottledLately,
  word,
} from '../contract/channel-state.ts';
import { systemClock } from '../contract/concurrency/clock.ts';
import { createRecent } from '../contract/concurrency/recent.ts';
import type { AppId } from '../contract/ids.ts';
import { type PushService, pushServices } from '../contract/push-service.ts';

/**
 * Where worker threads note the state of each app's channels: one per app sent for recently in
 * this process. Each engine learns by itself; a push service's Retry-After also travels in the shard's due
 * time.
 */
export interface Governors {
  stateOf(appId: AppId): ChannelState;
  /** Of the app's rehearsals, which show nothing about push services. */
  rehearsalStateOf(appId: AppId): ChannelState;
  /** Whether a push service throttled the app a short while ago: the readers who will probably click go first then. */
  wasThrottled(appId: AppId): boolean;
  /** By push service, over all apps. */
  sample(): Readonly<Record<PushService, GovernorSample>>;
}

export interface GovernorSample {
  /** Requests in flight that threads may have, a thread, added up over apps that were sent for. */
  readonly limit: number;
  /** Channels paused now, including those with an open breaker. */
  readonly paused: number;
  /** Channels whose breaker is open. */
  readonly open: number;
}

/** One is 5.1 KB: no engine sends for more apps at the same time. */
const MAX_APPS = 1_024;
const MAX_REHEARSAL_BOARDS = 64;

/** @param nowMs by the monotonic clock of the threads' governors. */
export function createGovernors(nowMs: () => number = systemClock.now): Governors {
  const states = createRecent(MAX_APPS, (appId: AppId) => createChannelState(appId, nowMs()));
  const rehearsals = createRecent(MAX_REHEARSAL_BOARDS, (appId: AppId) =>
    createChannelState(-appId, nowMs()),
  );

  return {
    stateOf: states.use,
    rehearsalStateOf: rehearsals.use,
    wasThrottled(appId) {
      const state = states.peek(appId);
      return state !== undefined && channels.some((channel) => wasThrottledLately(state, channel, nowMs()));
    },
    sample() {
      const samples = Object.fromEntries(
        pushServices.map((service) => [service, { limit: 0, paused: 0, open: 0 }]),
      ) as Record<PushService, { -readonly [Field in keyof GovernorSample]: number }>;
      for (const state of states.values()) {
        for (const channel of channels) {
          const sample = samples[serviceOf(channel)];
          sample.limit += readWord(state, channel, word.limit);
          if (pauseLeftMs(state, channel, nowMs()) > 0) sample.paused++;
          if (readWord(state, channel, word.breaker) !== 0) sample.open++;
        }
      }
      return samples;
    },
  };
}

const channels = Array.from({ length: CHANNELS }, (_, channel) => channel);
const serviceOf = (channel: number): PushService =>
  channel < NAMED_CHANNELS ? (pushServices[channel] ?? 'other') : 'other';
