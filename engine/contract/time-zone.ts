import { createRecent } from './concurrency/recent.ts';

const ZONE = /^[A-Za-z][A-Za-z0-9_+-]*(\/[A-Za-z0-9_+-]+)*$/;

/** The zone's name as the IANA database spells it, `UTC` for all names of UTC; null where there is none. */
export function zoneName(text: string): string | null {
  if (text === 'UTC') return text;
  if (!ZONE.test(text)) return null;
  try {
    return new Intl.DateTimeFormat('en', { timeZone: text }).resolvedOptions().timeZone;
  } catch {
    return null;
  }
}

/** Those that a reader may be in, by one name each. UTC is not in the runtime's list. */
export const timeZones: readonly string[] = [
  ...new Set([...Intl.supportedValuesOf('timeZone'), 'UTC']),
].sort();
const supported = new Set(timeZones);

/** Strangers choose the names. */
const MAX_KNOWN_NAMES = 2_000;
const MAX_NAME_LENGTH = 64;
const resolved = createRecent(MAX_KNOWN_NAMES, zoneName);

/**
 * A zone of `timeZones` under any of its names: browsers write the same one as `Asia/Kolkata` or `Asia/Calcutta`. Null
 * for a name that the runtime does not know, and for a fixed offset.
 */
export function timeZoneOf(text: string): string | null {
  const name = text.length > MAX_NAME_LENGTH ? null : resolved.use(text);
  return name !== null && supported.has(name) ? name : null;
}

/** From its moment on, what a zone's clocks are ahead of UTC by; the first from any moment before. */
export interface ZoneOffset {
  readonly fromMs: number;
  readonly seconds: number;
}

export const DAY_MS = 86_400_000;

/**
 * The offsets of a zone between two moments, by this runtime's rules: nothing else here knows any, since a server's table
 * may be years older. Clocks change at most once a day.
 */
export const zoneOffsets = (zone: string, fromMs: number, untilMs: number): readonly ZoneOffset[] =>
  knownOffsets.use(JSON.stringify([zone, fromMs, untilMs]));

/** A report asks several times. */
const MAX_KNOWN_RUNS = 256;
const knownOffsets = createRecent(MAX_KNOWN_RUNS, (question: string) =>
  findOffsets(...(JSON.parse(question) as [zone: string, fromMs: number, untilMs: number])),
);

function findOffsets(zone: string, fromMs: number, untilMs: number): readonly ZoneOffset[] {
  const offsetAt = createOffsetAt(zone);
  let before = offsetAt(fromMs);
  const found: ZoneOffset[] = [{ fromMs, seconds: before }];
  for (let at = fromMs; at < untilMs; at += DAY_MS) {
    const next = Math.min(at + DAY_MS, untilMs);
    const seconds = offsetAt(next);
    if (seconds !== before) found.push({ fromMs: changeBetween(at, next, seconds, offsetAt), seconds });
    before = seconds;
  }
  return found;
}

/** `YYYY-MM-DD` there at that moment. */
export function wallDayAt(zone: string, ms: number): string {
  const seconds = zoneOffsets(zone, ms, ms)[0]?.seconds ?? 0;
  return new Date(ms + seconds * 1_000).toISOString().slice(0, 10);
}

/** The first second of the new offset. */
function changeBetween(
  beforeMs: number,
  afterMs: number,
  seconds: number,
  offsetAt: (ms: number) => number,
): number {
  let [low, high] = [beforeMs, afterMs];
  while (high - low > 1_000) {
    const middle = Math.floor((low + high) / 2_000) * 1_000;
    if (offsetAt(middle) === seconds) high = middle;
    else low = middle;
  }
  return high;
}

function createOffsetAt(zone: string): (ms: number) => number {
  const format = new Intl.DateTimeFormat('en-US', {
    timeZone: zone,
    calendar: 'iso8601',
    hourCycle: 'h23',
    ...{ year: 'numeric', month: '2-digit', day: '2-digit' },
    ...{ hour: '2-digit', minute: '2-digit', second: '2-digit' },
  });
  return (ms) => {
    const parts = new Map(format.formatToParts(ms).map(({ type, value }) => [type, Number(value)]));
    const part = (type: Intl.DateTimeFormatPartTypes): number => parts.get(type) ?? 0;
    const wall = Date.UTC(
      part('year'),
      part('month') - 1,
      part('day'),
      part('hour'),
      part('minute'),
      part('second'),
    );
    return Math.round((wall - ms) / 1_000);
  };
}
