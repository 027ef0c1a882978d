import type { WallClock } from '../../../engine/campaigns/rules/local-time.ts';

/** Clocks as plain numbers, by formats of Intl alone: wall clocks are milliseconds as if they were UTC. */
export const MINUTE = 60_000;
export const QUARTER = 15 * MINUTE;
export const HOUR = 60 * MINUTE;
export const DAY = 24 * HOUR;

/** From this instant on, until the next span, the zone's clocks are ahead of UTC by `offset`. */
export interface Span {
  readonly from: number;
  readonly offset: number;
}

export interface ZoneModel {
  readonly zone: string;
  readonly spans: readonly Span[];
}

function createShownIn(zone: string): (at: number) => number {
  const format = new Intl.DateTimeFormat('sv-SE', {
    timeZone: zone,
    dateStyle: 'short',
    timeStyle: 'medium',
  });
  return (at) => Date.parse(`${format.format(at).replace(' ', 'T')}Z`);
}

/** Checks the clocks once a step, and for each change at the minute between. */
export function modelOf(zone: string, from: number, to: number, step: number): ZoneModel {
  const shownIn = createShownIn(zone);
  const offsetAt = (at: number) => shownIn(at) - at;
  const spans: Span[] = [{ from: -Infinity, offset: offsetAt(from) }];
  for (let at = from; at < to; at += step) {
    let [low, high] = [at, at + step];
    const offset = offsetAt(high);
    if (offset === offsetAt(low)) continue;
    while (high - low > MINUTE) {
      const middle = low + Math.floor((high - low) / MINUTE / 2) * MINUTE;
      if (offsetAt(middle) === offset) high = middle;
      else low = middle;
    }
    spans.push({ from: high, offset });
  }
  return { zone, spans };
}

export const shownAt = ({ spans }: ZoneModel, at: number): number =>
  at + (spans.findLast(({ from }) => from <= at)?.offset ?? Number.NaN);

/** The first instant at which the clocks show this or later: behind a gap, and of two the first. */
export function firstShowing({ spans }: ZoneModel, wall: number): number {
  const found = spans.map(({ from, offset }, place) => {
    const at = Math.max(from, wall - offset);
    return at < (spans[place + 1]?.from ?? Infinity) ? at : Infinity;
  });
  return Math.min(...found);
}

/** The instant from which on the clocks show this or later permanently. */
export function lastShowing({ spans }: ZoneModel, wall: number): number {
  const found = spans.map(({ from, offset }, place) => {
    const at = Math.min(spans[place + 1]?.from ?? Infinity, wall - offset);
    return at > from ? at : -Infinity;
  });
  return Math.max(...found);
}

export function toWallClock(wall: number): WallClock {
  const text = new Date(wall).toISOString();
  return { date: text.slice(0, 10), time: text.slice(11, 16) };
}
