import type { SourceDay } from '../../engine/adapters/postgres/ad-ledger.ts';
import { type DaySpeaker, type DayState, leastCertain } from '../../engine/contract/day-states.ts';
import { DAY_MS, daysBetween, dayText, knownDay } from '../../engine/contract/days.ts';
import { type ZoneOffset, zoneOffsets } from '../../engine/contract/time-zone.ts';
import type { StateRun } from '../ingest/days/list-days.ts';
import { firstMoment } from '../ingest/own-days.ts';
import type { ReportPeriod } from './period.ts';

/** Days in a row of a report, by how certain they are; null: no source that the token sees has anything of them. */
interface DayRun {
  readonly first_day: string;
  readonly last_day: string;
  readonly state: DayState | null;
}

/** The same of one source, with who said so; null: nobody did. */
interface SourceDayRun extends DayRun {
  readonly source: string;
  readonly state: DayState;
  readonly said_by: DaySpeaker | null;
  readonly said_at: string | null;
}

export interface ReportDayStates {
  /** Each day of the report is in one of them. */
  readonly days: readonly DayRun[];
  readonly sources: readonly SourceDayRun[];
  /** Runs of sources beyond the bound. */
  readonly leftOut: number;
}

interface StatesQuestion {
  readonly period: ReportPeriod;
  /** Of all sources: what was said of their days, from `sinceOf` until the last day of the report. */
  readonly runs: readonly StateRun[];
  /** On which UTC days the token sees rows of which source. */
  readonly seen: readonly SourceDay[];
  readonly dayZones: Readonly<Record<string, string>>;
  readonly nowMs: number;
}

/** As long as a source counts for days of which it delivered nothing yet. */
const LIVELY_DAYS = 35;
const MAX_SOURCE_RUNS = 500;

export const sinceOf = (nowMs: number): string => dayText(Math.floor(nowMs / DAY_MS) - LIVELY_DAYS);

type Said = Pick<SourceDayRun, 'state' | 'said_by' | 'said_at'>;
const unsaid: Said = { state: 'open', said_by: null, said_at: null };

/**
 * How certain the days of a report are. A source counts for a day on which the token sees rows of it, and in the last weeks
 * for each day since the first one: what it has not delivered yet is open. A day of the report that parts of several days of
 * a source in another timezone make up is as certain as the least certain of them.
 */
export function dayStatesOf({ period, runs, seen, dayZones, nowMs }: StatesQuestion): ReportDayStates {
  const since = Math.floor(nowMs / DAY_MS) - LIVELY_DAYS;
  const [start, end] = [knownDay(period.start), knownDay(period.end)];
  const said = saidOf(runs, start - 1, end + 1);
  const overlapped = createOverlaps(period.timezone, start, end);
  const bySource = [...seenBySource(seen)]
    .toSorted(([one], [other]) => (one < other ? -1 : 1))
    .map(([source, own]) => ({
      source,
      own,
      said: said.get(source) ?? new Map<number, Said>(),
      first: Math.min(...[...own].filter((day) => day >= since)),
      zone: (Object.hasOwn(dayZones, source) ? dayZones[source] : 'UTC') ?? 'UTC',
      found: [] as SaidDay[],
    }));
  const states = daysBetween(start, end).map((day): DayState | null => {
    const utc = overlapped(day, 'UTC');
    const due = bySource.filter(({ own, first }) => day >= first || utc.some((each) => own.has(each)));
    const each = due.map((source) => {
      const parts = overlapped(day, source.zone).map((part) => source.said.get(part) ?? unsaid);
      const least = leastCertain(parts.map(({ state }) => state));
      source.found.push({ day, said: parts.find(({ state }) => state === least) ?? unsaid });
      return least;
    });
    return each.length === 0 ? null : leastCertain(each);
  });
  const all = bySource.flatMap(({ source, found }) => sourceRuns(source, found));
  return {
    days: dayRuns(start, states),
    sources: all.slice(0, MAX_SOURCE_RUNS),
    leftOut: Math.max(0, all.length - MAX_SOURCE_RUNS),
  };
}

/** Days are numbers, because a report may have two years of many sources. */
function seenBySource(seen: readonly SourceDay[]): Map<string, Set<number>> {
  const numbers = new Map<string, number>();
  const found = new Map<string, Set<number>>();
  for (const [source, text] of seen) {
    const day = numbers.get(text) ?? knownDay(text);
    numbers.set(text, day);
    const own = found.get(source) ?? new Set<number>();
    found.set(source, own.add(day));
  }
  return found;
}

interface SaidDay {
  readonly day: number;
  readonly said: Said;
}

/** The days of other timezones that hold a moment of a day of this one; a timezone is looked up once for all days. */
function createOverlaps(
  timezone: string,
  start: number,
  end: number,
): (day: number, zone: string) => readonly number[] {
  const zones = new Map<string, readonly ZoneOffset[]>();
  const offsetsOf = (zone: string): readonly ZoneOffset[] => {
    const offsets = zones.get(zone) ?? zoneOffsets(zone, (start - 2) * DAY_MS, (end + 3) * DAY_MS);
    zones.set(zone, offsets);
    return offsets;
  };
  return (day, zone) => {
    if (zone === timezone) return [day];
    const own = offsetsOf(timezone);
    const first = firstMoment(own, day * DAY_MS);
    const last = firstMoment(own, (day + 1) * DAY_MS) - 1;
    const offsets = offsetsOf(zone);
    return daysBetween(dayAt(offsets, first), dayAt(offsets, last));
  };
}

const dayAt = (offsets: readonly ZoneOffset[], ms: number): number => {
  const { seconds } = offsets.findLast(({ fromMs }) => fromMs <= ms) ?? offsets[0] ?? { seconds: 0 };
  return Math.floor((ms + seconds * 1_000) / DAY_MS);
};

/** Between these days. */
function saidOf(runs: readonly StateRun[], start: number, end: number): Map<string, Map<number, Said>> {
  const said = new Map<string, Map<number, Said>>();
  for (const { source, first_day, last_day, state, said_by, said_at } of runs) {
    const own = said.get(source) ?? new Map<number, Said>();
    said.set(source, own);
    const one = { state, said_by, said_at: said_at?.toISOString() ?? null };
    const last = Math.min(knownDay(last_day), end);
    for (let day = Math.max(knownDay(first_day), start); day <= last; day++) own.set(day, one);
  }
  return said;
}

function dayRuns(start: number, states: readonly (DayState | null)[]): DayRun[] {
  const begins = [...states.keys()].filter((at) => at === 0 || states[at] !== states[at - 1]);
  return begins.map((at, place) => ({
    first_day: dayText(start + at),
    last_day: dayText(start + (begins[place + 1] ?? states.length) - 1),
    state: states[at] ?? null,
  }));
}

function sourceRuns(source: string, found: readonly SaidDay[]): SourceDayRun[] {
  const isNext = (at: number): boolean => {
    const [before, here] = [found[at - 1], found[at]];
    if (before === undefined || here === undefined) return false;
    const { said } = here;
    const isSame = before.said.state === said.state && before.said.said_by === said.said_by;
    return isSame && before.said.said_at === said.said_at && before.day + 1 === here.day;
  };
  const begins = [...found.keys()].filter((at) => !isNext(at));
  return begins.map((at, place) => {
    const { day, said } = found[at] ?? { day: 0, said: unsaid };
    const last = found[(begins[place + 1] ?? found.length) - 1] ?? { day };
    return { source, first_day: dayText(day), last_day: dayText(last.day), ...said };
  });
}
