import type { Access } from '../../../reporting/report/access.ts';
import type { Dimension } from '../../../reporting/report/keys.ts';
import type { ReportRequest } from '../../../reporting/report/request.ts';
import { besideAYearLater, daysFrom, plusDays, utcDay, wallDay } from './calendar.ts';
import { compareFractions, type Fraction, fraction, times } from './fractions.ts';
import { cellOf, type Filters, matchesDimensions, shownCell } from './matching.ts';
import { type Cell, holds, metricsOf, type Seen } from './metrics.ts';
import type { OracleRow, World } from './world.ts';

export type OracleAnswer =
  | { readonly kind: 'no rate'; readonly currency: string; readonly day: string }
  | {
      readonly kind: 'rows';
      /** Those of the page. */
      readonly rows: readonly Readonly<Record<string, Cell>>[];
      readonly count: number;
      readonly totals: Readonly<Record<string, Cell>>;
      /** How many rows of a currency have no part in anything, for nobody knows its rate. */
      readonly leftOut: Readonly<Record<string, number>>;
    };

/**
 * What a report is, said as plainly as possible: loops over all rows, exact fractions, no SQL. It shares nothing
 * with the builder but the types of a request. It follows the design, "Reports: exact meaning".
 */
export function oracle(request: ReportRequest, access: Access, world: World, nowMs: number): OracleAnswer {
  const timezone = request.timezone ?? 'UTC';
  const today = wallDay(nowMs, timezone);
  const [start, end] = request.selectedDate ?? [today, today];
  const groups = request.filter_groups?.length ? request.filter_groups.map(({ filters }) => filters) : [[]];
  const keys = [...request.metrics, ...groups.flat().map(({ value }) => value)];
  const askedMoney = keys.some((key) => key === 'earnings' || key === 'ecpm');

  const seen: Seen[] = [];
  const missing: { day: string; currency: string }[] = [];
  const leftOut = new Set<OracleRow>();
  for (const row of world.rows) {
    if (!isVisible(row, world) || !mayBeSeen(row, access)) continue;
    const local = wallDay(row.atMs, timezone);
    for (const side of ['now', 'before'] as const) {
      const day = side === 'now' ? local : comparedDay(request, local, start, end);
      if (day === null || day < start || day > end) continue;
      if (!groups.some((filters) => matchesDimensions(filters, row, day))) continue;
      const rate = rateOf(world, row, request.currency);
      if (rate === null && askedMoney && row.earnings !== 0n) {
        const forgotten = forgottenBy(world, row, request.currency);
        if (forgotten !== null) missing.push({ day: utcDay(row.atMs), currency: forgotten });
        else leftOut.add(row);
        continue;
      }
      seen.push({
        row,
        day,
        side,
        money: times(fraction(row.earnings, 10n ** 8n), rate ?? fraction(0n, 10n ** 18n)),
      });
    }
  }
  const [first] = missing.toSorted((a, b) => byBytes(a.day + a.currency, b.day + b.currency));
  if (first !== undefined) return { kind: 'no rate', ...first };

  const rowsByKey = Map.groupBy(seen, (one) =>
    JSON.stringify(request.dimensions.map((key) => cellOf(key, one))),
  );
  const counted: { readonly cells: Record<string, string>; readonly parts: readonly Seen[] }[] = [];
  for (const members of rowsByKey.values()) {
    const parts = countingParts(members, groups);
    const [any] = parts.filter(({ side }) => side === 'now');
    if (any === undefined) continue;
    counted.push({
      cells: Object.fromEntries(request.dimensions.map((key) => [key, cellOf(key, any)])),
      parts,
    });
  }
  const rows = counted
    .map(({ cells, parts }) => ({ cells, values: metricsOf(request, parts) }))
    .toSorted((a, b) => inOrder(request, a, b))
    .map(({ cells, values }) => ({ ...shown(request, cells), ...values }));
  const { offset = 0, limit = rows.length } = request;
  return {
    kind: 'rows',
    rows: rows.slice(offset, offset + limit),
    count: rows.length,
    leftOut: Object.fromEntries(
      [...Map.groupBy(leftOut, ({ currency }) => currency)].map(([code, own]) => [code, own.length]),
    ),
    totals: metricsOf(
      request,
      counted.flatMap(({ parts }) => parts),
    ),
  };
}

const shown = ({ dimensions }: ReportRequest, cells: Readonly<Record<string, string>>) =>
  Object.fromEntries(dimensions.map((key) => [key, shownCell(key, cells[key] ?? '')]));

function isVisible({ load, source, atMs }: OracleRow, { ledger }: World): boolean {
  if (load > ledger.maxLoad || ledger.hidden.includes(load)) return false;
  const day = utcDay(atMs);
  return !ledger.superseded.some(
    (run) => run.source === source && day >= run.firstDay && day <= run.lastDay && load < run.below,
  );
}

function mayBeSeen({ texts }: OracleRow, access: Access): boolean {
  if (access === 'unrestricted') return true;
  const { domains, wholesalers } = access;
  if (domains.length === 0 && wholesalers.length === 0) return false;
  return (
    (domains.length === 0 || domains.includes(texts.domain)) &&
    (wholesalers.length === 0 || wholesalers.includes(texts.wholesaler))
  );
}

/** The day beside which a day of the compared period stands; null where there is no comparison. */
function comparedDay({ compare_to }: ReportRequest, day: string, start: string, end: string): string | null {
  if (compare_to === undefined) return null;
  if (compare_to === 'previous_year') return besideAYearLater(day, start);
  const length = daysFrom(start, end) + 1;
  const first = compare_to === 'previous_period' ? plusDays(start, -length) : compare_to[0];
  return plusDays(day, daysFrom(first, start));
}

function rateOf({ rates }: World, { currency, atMs }: OracleRow, target: string): Fraction | null {
  // Over the same divisor as every other rate, so that sums stay small.
  if (currency === target) return fraction(10n ** 18n, 10n ** 18n);
  const day = utcDay(atMs);
  const perEur = (code: string): bigint | undefined =>
    code === 'EUR'
      ? 10n ** 18n
      : rates
          .filter((rate) => rate.currency === code && rate.day <= day)
          .toSorted((a, b) => byBytes(b.day, a.day))[0]?.perEur;
  const [from, to] = [perEur(currency), perEur(target)];
  if (from === undefined || to === undefined) return null;
  const scaled = to * 10n ** 18n;
  const units = scaled / from + ((scaled % from) * 2n >= from ? 1n : 0n);
  return fraction(units, 10n ** 18n);
}

/** The currency of which rates were forgotten: the report's own, or any where there are none at all yet. */
function forgottenBy({ rates }: World, { currency, atMs }: OracleRow, target: string): string | null {
  const before = rates.filter(({ day }) => day <= utcDay(atMs));
  if (target !== 'EUR' && before.every((rate) => rate.currency !== target)) return target;
  return before.length === 0 ? currency : null;
}

/**
 * The base rows of a report row that match at least one group which holds there. Metric filters apply to the
 * period alone, not at the one that it is compared with; a group without any holds in both.
 */
function countingParts(members: readonly Seen[], groups: readonly Filters[]): readonly Seen[] {
  const holding = groups.filter((filters) => {
    if (filters.every(({ type }) => type === 'dimension')) return true;
    const matching = members.filter(
      ({ side, row, day }) => side === 'now' && matchesDimensions(filters, row, day),
    );
    if (matching.length === 0) return false;
    return filters.every((filter) => filter.type === 'dimension' || holds(filter, matching));
  });
  return members.filter(({ row, day }) => holding.some((filters) => matchesDimensions(filters, row, day)));
}

interface Placed {
  readonly cells: Readonly<Record<string, string>>;
  readonly values: Readonly<Record<string, Cell>>;
}

function inOrder({ sort = [], dimensions, metrics }: ReportRequest, a: Placed, b: Placed): number {
  // As the rows show it: a reader sees no `xn--`.
  const shownBy = ({ cells }: Placed, key: string): string => shownCell(key as Dimension, cells[key] ?? '');
  for (const { by, direction } of sort) {
    const isMetric = metrics.some((metric) => metric === by);
    const order = isMetric
      ? compareFractions(readText(a.values[by]), readText(b.values[by]))
      : byBytes(shownBy(a, by), shownBy(b, by));
    if (order !== 0) return direction === 'desc' ? -order : order;
  }
  for (const key of dimensions) {
    const order = byBytes(a.cells[key] ?? '', b.cells[key] ?? '');
    if (order !== 0) return order;
  }
  return 0;
}

function readText(text: Cell | undefined): Fraction {
  const [whole = '0', tail = ''] = (text ?? '0').split('.');
  return fraction(BigInt(whole + tail), 10n ** BigInt(tail.length));
}

const byBytes = (a: string, b: string): number => Buffer.compare(Buffer.from(a), Buffer.from(b));
