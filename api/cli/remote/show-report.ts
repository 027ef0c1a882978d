import { counted, pluralOf } from '../../../engine/contract/counted.ts';
import { money, number, percentText } from '../../../engine/kit/command-line/numbers.ts';
import { print, printNote } from '../../../engine/kit/command-line/terminal.ts';
import { tableOf } from '../table.ts';

type Row = Readonly<Record<string, string | number | null>>;

/** The reporting API's answer, as far as it is shown. */
export interface Report {
  readonly data: readonly Row[];
  readonly meta: {
    readonly count: number;
    readonly total_count: number;
    readonly start_date: string;
    readonly end_date: string;
    readonly currency: string;
    readonly timezone: string;
    readonly complete_until: string | null;
    readonly restated: boolean;
    readonly days?: readonly DayRun[];
    readonly old_rates?: readonly { readonly currency: string; readonly rate_day: string }[];
    readonly left_out: readonly { readonly currency: string; readonly rows: number }[];
    readonly filter_values?: readonly FilterValue[];
    readonly source_days?: readonly { readonly source: string; readonly timezone: string }[];
    readonly totals?: Row;
  };
}

interface DayRun {
  readonly first_day: string;
  readonly last_day: string;
  readonly state: 'open' | 'complete' | 'final' | null;
}

interface FilterValue {
  readonly dimension: string;
  readonly value: string;
  readonly read_as: string | null;
}

interface Asked {
  readonly by: readonly string[];
  readonly metric: readonly string[];
  readonly compare?: string;
}

/** Columns of money. */
export const amounts: ReadonlySet<string> = new Set(['earnings', 'ecpm']);

/** A table with the sum below it; what a reader must know of it goes to stderr. */
export function printReport({ data, meta }: Report, asked: Asked): void {
  const { start_date: start, end_date: end, currency, timezone } = meta;
  if (data.length === 0) print(`Nothing from ${start} to ${end} (${timezone}).`);
  else print(tableOf(headOf(asked, currency), linedUp(cellsOf({ data, meta }, asked), asked.by.length)));
  for (const note of notesOf(meta)) printNote(note);
}

const headOf = ({ by, metric, compare }: Asked, currency: string): string[] => [
  ...by.map(titleOf),
  ...metric.flatMap((name) => [
    amounts.has(name) ? `${titleOf(name)} (${currency})` : titleOf(name),
    ...(compare === undefined ? [] : ['CHANGE']),
  ]),
];

const titleOf = (name: string): string => name.replaceAll('_', ' ').toUpperCase();

function cellsOf({ data, meta }: Report, { by, metric, compare }: Asked): string[][] {
  const figures = (row: Row): string[] =>
    metric.flatMap((name) => [
      figureOf(name, row[name]),
      ...(compare === undefined ? [] : [changeOf(row[`${name}_change`])]),
    ]);
  const rows = data.map((row) => [...by.map((name) => String(row[name] ?? '')), ...figures(row)]);
  if (meta.totals === undefined || data.length < 2) return rows;
  return [...rows, [...by.map((_, at) => (at === 0 ? 'total' : '')), ...figures(meta.totals)]];
}

function figureOf(name: string, value: string | number | null | undefined): string {
  return (amounts.has(name) ? money : number)(Number(value ?? 0));
}

/** With its sign; nothing to compare with: a dash. */
const changeOf = (value: string | number | null | undefined): string =>
  value === null || value === undefined
    ? '–'
    : `${Number(value) > 0 ? '+' : ''}${percentText(Number(value))}`;

/** Figures to the right. */
function linedUp(rows: readonly (readonly string[])[], texts: number): string[][] {
  const width = (column: number): number => Math.max(...rows.map((row) => row[column]?.length ?? 0));
  return rows.map((row) => row.map((cell, column) => (column < texts ? cell : cell.padStart(width(column)))));
}

/** What these need of it. */
export type ReportNotes = Omit<Report['meta'], 'complete_until' | 'restated' | 'totals'> &
  Partial<Pick<Report['meta'], 'complete_until' | 'restated'>>;

export function notesOf(meta: ReportNotes): string[] {
  const {
    count,
    total_count: total,
    complete_until: until = null,
    restated = false,
    left_out: leftOut,
  } = meta;
  return [
    ...(meta.old_rates ?? []).map(
      ({ currency, rate_day: day }) =>
        `The last exchange rate of ${currency} is of ${day}: newer ones are missing.`,
    ),
    ...(total > count
      ? [`${counted(total - count, 'more row')} ${pluralOf(total - count, 'is', 'are')} not shown.`]
      : []),
    ...(until === null ? [] : [`Complete until ${until}.`]),
    ...finalNote(meta.days ?? []),
    ...(restated ? ['A day was replaced by a later statement of an ad server.'] : []),
    ...leftOut.map(
      ({ currency, rows }) =>
        `Not counted: ${counted(rows, 'row')} in ${currency}, of which there is no rate.`,
    ),
    ...(meta.filter_values ?? []).map(filterValueNote),
    ...(meta.source_days ?? []).map(
      ({ source, timezone }) => `Days of ${source} are whole days in ${timezone}.`,
    ),
  ];
}

function filterValueNote({ dimension, value, read_as: code }: FilterValue): string {
  if (code === null) return `${dimension} "${value}" is not a known name: compared as it is written.`;
  return `${dimension} "${value}" is ${code === '' ? 'what is not stated' : code} in the rows.`;
}

const RUNS_SHOWN = 5;

/** Which days may still change; nothing where nobody says that any is complete or final. */
function finalNote(runs: readonly DayRun[]): string[] {
  if (runs.every(({ state }) => state === null || state === 'open')) return [];
  if (runs.every(({ state }) => state === 'final')) return ['All days are final.'];
  const range = ({ first_day: first, last_day: last }: DayRun): string =>
    first === last ? first : `${first} to ${last}`;
  const shown = runs.slice(0, RUNS_SHOWN).map((run) => `${range(run)} ${run.state ?? 'unknown'}`);
  return [`Days: ${shown.join(', ')}${runs.length > RUNS_SHOWN ? ', …' : ''}.`];
}
