import type { AppId } from './ids.ts';
import type { PushService } from './push-service.ts';

/** How a push service treats an app while it limits it: an episode from `limitedSinceMs` until it is normal again. */
export interface Limited {
  readonly limitedSinceMs: number;
  /** Messages a minute, as measured: the budget of all engines together. */
  readonly allowedPerMinute: number;
  /** The lowest that was measured. */
  readonly lowestPerMinute: number;
  /** Null: nothing is known about how long this push service does so. */
  readonly probableEndAtMs: number | null;
  /** The start of the last minute that counted as throttled. */
  readonly throttledAtMs: number;
  /** A higher budget is tried from then on … */
  readonly growAtMs: number;
  /** … and if that is refused, the next one after twice this time. */
  readonly growWaitMinutes: number;
}

export interface AppService {
  readonly appId: AppId;
  readonly service: PushService;
}

/** Answers of one push service to the messages of one app. */
export interface Answers {
  readonly accepted: number;
  readonly throttled: number;
}

export interface AnswersInMinute extends Answers {
  /** When the minute began, in ms since 1970. */
  readonly minuteMs: number;
}

export const MINUTE_MS = 60_000;

/** Minutes that a standing is judged by. */
export const LOOK_BACK_MINUTES = 5;
/** After as many days without an episode, Chrome counts them again. */
export const CLEAN_DAYS = 42;

/** What a push service's treatment of an app is judged by. */
export interface Judged {
  readonly service: PushService;
  /** Null: it is not limited. */
  readonly limited: Limited | null;
  /** Episodes that ended within `CLEAN_DAYS`. */
  readonly earlier: number;
  /** Of the last minutes, those in which something was answered. The one that runs is among them. */
  readonly minutes: readonly AnswersInMinute[];
  /** By the clock that named the minutes: Postgres'. */
  readonly nowMs: number;
}

/** The messages that a push service takes from an app in a minute while it limits it: of all engines together. */
export interface Budget extends AppService {
  readonly allowedPerMinute: number;
}

export type Reservation =
  /** The first of the targets may be sent in `waitMs`; 0 or less: now. */
  | { readonly kind: 'reserved'; readonly waitMs: number }
  /** Breaking messages go first: nothing is reserved, ask again in `waitMs`. */
  | { readonly kind: 'later'; readonly waitMs: number }
  /** The app is not limited any more. */
  | { readonly kind: 'unlimited' };
