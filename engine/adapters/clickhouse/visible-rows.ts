import { daysBetween, dayText, knownDay } from '../../contract/days.ts';

/** The rows of `ad_stats` that count: `readLedger` of adapters/postgres/ad-ledger.ts decides it, for one moment. */
export interface VisibleLoads {
  readonly maxLoad: number;
  readonly hidden: readonly number[];
  readonly superseded: readonly {
    readonly source: string;
    readonly firstDay: string;
    readonly lastDay: string;
    readonly below: number;
    /** Between which moments (seconds) hours are; null: those of the UTC days. */
    readonly hours?: readonly [from: number, until: number] | null;
  }[];
}

interface Condition {
  readonly text: string;
  readonly params: Readonly<Record<string, unknown>>;
}

/** As a condition on a row; usually of one comparison, for nothing is hidden or superseded. */
export function visibleRows({ maxLoad, hidden, superseded }: VisibleLoads): Condition {
  const dead = [...Map.groupBy(superseded, groupOf).values()].map(deadRows);
  return {
    text: [
      'load <= {max_load:UInt64}',
      ...(hidden.length === 0 ? [] : ['load NOT IN {hidden_loads:Array(UInt64)}']),
      ...dead.map(({ text }) => `NOT (${text})`),
    ].join(' AND '),
    params: {
      max_load: maxLoad,
      ...(hidden.length === 0 ? {} : { hidden_loads: hidden }),
      ...Object.assign({}, ...dead.map(({ params }) => params)),
    },
  };
}

type Run = VisibleLoads['superseded'][number];

const groupOf = ({ source, below, hours = null }: Run): string => `${source} ${below} ${hours === null}`;

/** Of runs with one source and load: a day a run would be more than ClickHouse takes in a statement, so days are a list. */
function deadRows(runs: readonly Run[], n: number): Condition {
  const [first] = runs as [Run, ...Run[]];
  const days = runs.length === 1 ? oneRun(first, n) : listOfDays(runs, n);
  const hours = first.hours ? hoursOf(runs, n) : null;
  const when = hours === null ? days.text : `if(grain = 'hour', ${hours.text}, ${days.text})`;
  return {
    text: `source = {source_${n}:String} AND ${when} AND load < {below_${n}:UInt64}`,
    params: { [`source_${n}`]: first.source, [`below_${n}`]: first.below, ...days.params, ...hours?.params },
  };
}

const oneRun = ({ firstDay, lastDay }: Run, n: number): Condition => ({
  text: `toDate(at) BETWEEN {from_${n}:Date} AND {to_${n}:Date}`,
  params: { [`from_${n}`]: firstDay, [`to_${n}`]: lastDay },
});

const listOfDays = (runs: readonly Run[], n: number): Condition => ({
  text: `toDate(at) IN {days_${n}:Array(Date)}`,
  params: {
    [`days_${n}`]: runs.flatMap(({ firstDay, lastDay }) =>
      daysBetween(knownDay(firstDay), knownDay(lastDay)).map(dayText),
    ),
  },
});

/** The runs of a source do not overlap: the last one that begins before the row is looked up, and its end compared. */
function hoursOf(runs: readonly Run[], n: number): Condition {
  const spans = runs.flatMap(({ hours }) => (hours ? [hours] : [])).toSorted(([one], [other]) => one - other);
  const begins = `{begins_${n}:Array(UInt32)}`;
  return {
    text: `toUnixTimestamp(at) >= {first_${n}:UInt32} AND toUnixTimestamp(at) <
      transform(roundDown(toUnixTimestamp(at), ${begins}), ${begins}, {ends_${n}:Array(UInt32)}, toUInt32(0))`,
    params: {
      [`first_${n}`]: spans[0]?.[0],
      [`begins_${n}`]: spans.map(([begin]) => begin),
      [`ends_${n}`]: spans.map(([, end]) => end),
    },
  };
}
