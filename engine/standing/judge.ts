import {
  type Answers,
  type AnswersInMinute,
  type Judged,
  type Limited,
  MINUTE_MS,
} from '../contract/standing.ts';

/**
 * How a push service treats an app, judged by its answers of the last minutes:
 *
 *     normal ── throttled in three of five minutes ──► limited, at the most that it took in one of them
 *                                                       │ ▲
 *        a minute throttled: down to what it took ──────┤ │
 *        a full minute without: up by a half ───────────┘ │
 *     normal ◄── it takes ten times as much, or the probable end and an hour without a 429 have passed
 *
 * A higher budget is tried after a minute at first, and after each refusal only after twice as long, up to an hour:
 * at the limit, about one message in a hundred is answered 429. After a short disturbance the budget grows each
 * minute, and is gone after a quarter of an hour.
 */
export type Verdict =
  | { readonly kind: 'unchanged' }
  | { readonly kind: 'began'; readonly now: Limited }
  | { readonly kind: 'changed'; readonly now: Limited }
  | { readonly kind: 'ended' };

const THROTTLED_MINUTES = 3;
/** From this share of a minute's answers on, and this number, it counts as throttled. */
const THROTTLED_SHARE = 0.02;
const MIN_THROTTLED = 5;
/**
 * In those minutes together. At the tail of a delivery a few endpoints may be left that their push service throttles for
 * reasons of their own, and all that is answered then is 429: that says nothing about the app.
 */
const MIN_ANSWERS = 500;
/** From this share on, the budget is too high. */
const TOO_HIGH_SHARE = 0.05;
/** The share of the budget that a minute has to use before a higher one is tried. */
const USED_SHARE = 0.9;
const GROWTH = 1.5;
const GROWTH_AFTER_PROBABLE_END = 2;
const MAX_GROW_WAIT_MINUTES = 60;
/** At this multiple of the lowest budget the app is no longer limited. */
const NORMAL_TIMES = 10;
const QUIET_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * 60 * MINUTE_MS;
/** Chrome judges a site once a day, and limits it for as many days (developer.chrome.com/blog/web-push-rate-limits). */
const EPISODE_DAYS = [1, 7, 14] as const;
/** The least that Chrome promises a site that it limits. */
const CHROME_MINIMUM = 1_000;
/** Where nothing was taken at all: one message a second finds out when that changes. */
const MINIMUM = 60;

const unchanged: Verdict = Object.freeze({ kind: 'unchanged' });

export function judge(judged: Judged): Verdict {
  return judged.limited === null ? judgeNormal(judged) : judgeLimited(judged, judged.limited);
}

function judgeNormal({ service, earlier, minutes, nowMs }: Judged): Verdict {
  const throttled = minutes.filter(isThrottled);
  const [first] = throttled;
  if (first === undefined || throttled.length < THROTTLED_MINUTES) return unchanged;
  const answers = throttled.reduce((sum, minute) => sum + minute.accepted + minute.throttled, 0);
  if (answers < MIN_ANSWERS) return unchanged;
  const most = Math.max(...minutes.map(({ accepted }) => accepted));
  const allowedPerMinute = Math.max(most, service === 'fcm' ? CHROME_MINIMUM : MINIMUM);
  return {
    kind: 'began',
    now: {
      limitedSinceMs: first.minuteMs,
      allowedPerMinute,
      lowestPerMinute: allowedPerMinute,
      probableEndAtMs: service === 'fcm' ? first.minuteMs + episodeMs(earlier) : null,
      // The minute that runs was noted in part only: of the blocks that were throttled.
      throttledAtMs: minuteOf(nowMs),
      growAtMs: nextJudged(nowMs),
      growWaitMinutes: 1,
    },
  };
}

/** By the last minute that is over: of one that runs nobody knows what it will be. */
function judgeLimited({ minutes, nowMs }: Judged, limited: Limited): Verdict {
  const minuteMs = minuteOf(nowMs) - MINUTE_MS;
  const last = minutes.find((minute) => minute.minuteMs === minuteMs);
  if (last !== undefined && isThrottled(last)) return whenThrottled(limited, last, nowMs);
  const isPastEnd = nowMs >= (limited.probableEndAtMs ?? limited.limitedSinceMs + DAY_MS);
  if (isPastEnd && nowMs - limited.throttledAtMs >= QUIET_MS) return { kind: 'ended' };
  const used = last === undefined ? 0 : last.accepted + last.throttled;
  const isUsed = used >= USED_SHARE * limited.allowedPerMinute;
  if (!isUsed || nowMs < limited.growAtMs) return unchanged;
  if (limited.allowedPerMinute >= NORMAL_TIMES * limited.lowestPerMinute) return { kind: 'ended' };
  const growth = isPastEnd ? GROWTH_AFTER_PROBABLE_END : GROWTH;
  const allowedPerMinute = Math.ceil(limited.allowedPerMinute * growth);
  return { kind: 'changed', now: { ...limited, allowedPerMinute, growAtMs: nextJudged(nowMs) } };
}

/** Each minute counts once, however many engines judge it. */
function whenThrottled(limited: Limited, last: AnswersInMinute, nowMs: number): Verdict {
  if (last.minuteMs <= limited.throttledAtMs) return unchanged;
  const noted = { ...limited, throttledAtMs: last.minuteMs };
  if (shareOf(last) < TOO_HIGH_SHARE) return { kind: 'changed', now: noted };
  const { allowedPerMinute: allowed, lowestPerMinute, growWaitMinutes } = limited;
  // No lower than before the last try: each engine has slowed down by itself meanwhile, so less was taken than might be.
  const lower = Math.min(allowed, Math.max(last.accepted, Math.floor(allowed / GROWTH), 1));
  const wait = Math.min(growWaitMinutes * 2, MAX_GROW_WAIT_MINUTES);
  return {
    kind: 'changed',
    now: {
      ...limited,
      // The minute that runs has begun with the budget that was too high.
      throttledAtMs: minuteOf(nowMs),
      allowedPerMinute: lower,
      lowestPerMinute: Math.min(lower, lowestPerMinute),
      growAtMs: nowMs + growWaitMinutes * MINUTE_MS,
      growWaitMinutes: wait,
    },
  };
}

const minuteOf = (ms: number): number => Math.floor(ms / MINUTE_MS) * MINUTE_MS;
/** When the first whole minute from now on is over. */
const nextJudged = (nowMs: number): number => minuteOf(nowMs) + 2 * MINUTE_MS;

const shareOf = ({ accepted, throttled }: Answers): number => throttled / Math.max(1, accepted + throttled);
const isThrottled = (minute: Answers): boolean =>
  minute.throttled >= MIN_THROTTLED && shareOf(minute) >= THROTTLED_SHARE;

const episodeMs = (earlier: number): number =>
  DAY_MS * (EPISODE_DAYS[Math.min(earlier, EPISODE_DAYS.length - 1)] ?? 1);
