import { listMutes, type Series } from '../../../engine/adapters/postgres/explained/mutes.ts';
import { daysBetween, dayText, knownDay, todayIn } from '../../../engine/contract/days.ts';
import { divideRounded, formatDecimal } from '../../../engine/contract/decimal.ts';
import { zoneName } from '../../../engine/contract/time-zone.ts';
import type { Refused } from '../../generate/prepare.ts';
import type { IdnName } from '../../report/domain-names.ts';
import type { ReportRequest } from '../../report/request.ts';
import {
  type Asker,
  type ExactNumber,
  type ExplainDeps,
  type KnownState,
  moneyMeta,
  rawJSON,
  readState,
  refusing,
} from '../known.ts';
import { linesOf } from '../lines.ts';
import { bandOf, DEFAULT_AMOUNT, FINE_UNITS, WEEKS } from './rules.ts';
import type { AnomalyRequest } from './schema.ts';
import {
  type AskedDays,
  anomaliesStatement,
  daysStatement,
  type FoundSeries,
  partsStatement,
  placeOf,
} from './statement.ts';

const PLACES = 6;
const MICROS = 10 ** PLACES;

export interface Anomalies {
  readonly kind: 'found';
  readonly data: readonly object[];
  readonly meta: object;
}

export type FindAnomalies = (
  asked: AnomalyRequest,
  asker: Asker,
  signal: AbortSignal,
) => Promise<Anomalies | Refused>;

export const createFindAnomalies =
  (deps: ExplainDeps): FindAnomalies =>
  (asked, asker, signal) =>
    refusing(deps.bounds, 'selectedDate', async () => {
      const [from, to] = daysAsked(asked, deps.clock.now());
      const start = dayText(knownDay(from) - 7 * WEEKS);
      const request: ReportRequest = {
        dimensions: ['day'],
        metrics: ['impressions', 'earnings'],
        currency: asked.currency,
        selectedDate: [start, to],
        ...(asked.timezone === undefined ? {} : { timezone: asked.timezone }),
        ...(asked.source_days === undefined ? {} : { source_days: asked.source_days }),
      };
      const state = await readState(deps, request, asker.access, signal);
      if (state.kind !== 'known') return state;
      const days = await readDays(state, request, from, to);
      const muted = (await listMutes(deps.sql, asker.userId)).map((one) => ({
        ...one,
        until: placeOf(start, one.until),
      }));
      const least = BigInt(Math.round((asked.min_amount ?? DEFAULT_AMOUNT) * MICROS));
      const found = await readFound(state, request, days, { muted, least });
      const flat = found.flatMap(({ top }) => top);
      const parts = await readParts(state, request, days, flat);
      return {
        kind: 'found',
        data: flat.map((one, place) =>
          anomalyOf(one, start, state.context.names, parts.get(place + 1) ?? []),
        ),
        meta: {
          count: flat.length,
          start_date: from,
          end_date: to,
          currency: asked.currency,
          timezone: asked.timezone ?? 'UTC',
          judged_days: found.map(({ top: _, place, ...counts }) => ({ day: dayAt(start, place), ...counts })),
          days_without_rows: daysBetween(knownDay(from), knownDay(to))
            .map(dayText)
            .filter((day) => days.hasRows[placeOf(start, day)] !== true),
          ...moneyMeta(state),
        },
      };
    });

/** Yesterday, where no days were named: today is not over. */
function daysAsked({ selectedDate, timezone = 'UTC' }: AnomalyRequest, nowMs: number): [string, string] {
  const yesterday = dayText(todayIn(zoneName(timezone) ?? 'UTC', nowMs) - 1);
  return selectedDate ?? [yesterday, yesterday];
}

const dayAt = (start: string, place: number): string => dayText(knownDay(start) + place);

async function readDays(
  { run, context }: KnownState,
  request: ReportRequest,
  from: string,
  to: string,
): Promise<AskedDays> {
  const line = await run.line(daysStatement(request, context));
  const { days } = JSON.parse(line ?? '{"days":[]}') as { readonly days: readonly string[] };
  const { start } = context.period;
  const known = new Set(days.map((day) => placeOf(start, day)));
  const length = placeOf(start, to) + 1;
  return {
    hasRows: Array.from({ length }, (_, place) => known.has(place)),
    asked: [...known]
      .filter((place) => place >= placeOf(start, from) && place < length)
      .toSorted((a, b) => a - b),
  };
}

/** As the statement answers: numbers as texts, which keep their digits. */
type TopRow = readonly [
  ...series: [domain: string, product: string, country: string],
  ...figures: [first: string, now: string, twice: string, fourfold: string],
  ...served: [impressions: string, twiceUsual: string],
  weeks: readonly string[],
  history: readonly string[],
];

interface Found extends FoundSeries {
  readonly row: TopRow;
}

interface FoundDay {
  readonly place: number;
  readonly found: number;
  readonly muted: number;
  readonly without_history: number;
  readonly without_history_earnings: ExactNumber;
  readonly top: readonly Found[];
}

async function readFound(
  { run, context }: KnownState,
  request: ReportRequest,
  days: AskedDays,
  bounds: Parameters<typeof anomaliesStatement>[3],
): Promise<FoundDay[]> {
  if (days.asked.length === 0) return [];
  const statement = anomaliesStatement(request, context, days, bounds);
  const lines = await linesOf(await run.open(statement, 'JSONEachRow'));
  const rows = lines.map(
    (line) =>
      JSON.parse(line) as Readonly<
        Record<'place' | 'found' | 'muted' | 'fresh' | 'fresh_earnings', string>
      > & {
        readonly top: readonly TopRow[];
      },
  );
  return days.asked.map((at) => {
    const row = rows.find(({ place }) => Number(place) === at);
    return {
      place: at,
      found: Number(row?.found ?? 0),
      muted: Number(row?.muted ?? 0),
      without_history: Number(row?.fresh ?? 0),
      without_history_earnings: money(BigInt(row?.fresh_earnings ?? 0), 1n),
      top: (row?.top ?? []).map((top) => ({ ...seriesOf(top), at, first: Number(top[3]), row: top })),
    };
  });
}

const seriesOf = ([domain, product, country]: TopRow): Series => ({ domain, product, country });

interface Part {
  readonly dimension: string;
  readonly value: string;
  readonly earnings: ExactNumber;
  readonly usual: ExactNumber;
  readonly difference: ExactNumber;
}

/** By the place of what was found, from 1. */
async function readParts(
  { run, context }: KnownState,
  request: ReportRequest,
  days: AskedDays,
  found: readonly Found[],
): Promise<ReadonlyMap<number, readonly Part[]>> {
  if (found.length === 0) return new Map();
  const lines = await linesOf(await run.open(partsStatement(request, context, days, found), 'JSONEachRow'));
  const rows = lines.map(
    (line) =>
      JSON.parse(line) as Readonly<
        Record<'found_at' | 'dimension' | 'value' | 'earned' | 'twice_usual', string>
      >,
  );
  const byPlace = Map.groupBy(rows, ({ found_at: place }) => Number(place));
  return new Map(
    [...byPlace].map(([place, own]) => [
      place,
      own.map(({ dimension, value, earned: now, twice_usual: twice }) => ({
        dimension,
        value: dimension === 'subdomain' ? shownAs(value, context.names) : value,
        earnings: money(BigInt(now), 1n),
        usual: money(BigInt(twice), 2n),
        difference: money(2n * BigInt(now) - BigInt(twice), 2n),
      })),
    ]),
  );
}

function anomalyOf(
  { at, row }: Found,
  start: string,
  names: readonly IdnName[],
  parts: readonly Part[],
): object {
  const [domain, product, country, , now, twice, fourfold, impressions, twiceUsual, weeks, history] = row;
  const { usual, low, high } = bandOf(BigInt(twice), BigInt(fourfold));
  return {
    day: dayAt(start, at),
    domain: shownAs(domain, names),
    product,
    country,
    earnings: money(BigInt(now), 1n),
    usual: money(usual, FINE_UNITS),
    low: money(low, FINE_UNITS),
    high: money(high, FINE_UNITS),
    difference: money(2n * BigInt(now) - BigInt(twice), 2n),
    impressions: Number(impressions),
    usual_impressions: Number(BigInt(twiceUsual) / 2n),
    history: history.map((value, n) => ({
      day: dayAt(start, Number(weeks[n])),
      earnings: money(BigInt(value), 1n),
    })),
    parts,
  };
}

const shownAs = (stored: string, names: readonly IdnName[]): string =>
  names.find((name) => name.stored === stored)?.shown ?? stored;

/** An amount in parts of a millionth, rounded once. */
const money = (value: bigint, partsOfMicro: bigint): ExactNumber =>
  rawJSON(formatDecimal(divideRounded(value, partsOfMicro), PLACES));
