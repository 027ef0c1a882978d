import { tenths } from '../median.ts';
import type { Report } from '../report/report.ts';
import type { Played, Slice } from './play.ts';

interface Beside {
  /** Seconds of the breaking delivery without the other one, and of that without the breaking one. */
  readonly breakingAlone: number;
  readonly withoutIt: number;
  readonly breakingAtSeconds: number;
}

const ROWS = 12;
const WIDTH = 40;

type Row = ReturnType<typeof rowsOf>[number];

/** As many rows as a terminal shows: each is the mean, or the end, of its seconds. */
export function rowsOf(slices: readonly Slice[]) {
  const each = Math.max(1, Math.ceil(slices.length / ROWS));
  return Array.from({ length: Math.ceil(slices.length / each) }, (_, row) => {
    const some = slices.slice(row * each, (row + 1) * each);
    const mean = (of: (slice: Slice) => number): number =>
      Math.round(some.reduce((sum, slice) => sum + of(slice), 0) / some.length);
    const { shards, second } = some.at(-1) as Slice;
    return {
      until_second: second,
      messages_per_second: mean(({ accepted }) => accepted),
      throttled_per_second: mean(({ throttled }) => throttled),
      transactions_per_second: mean(({ transactions }) => transactions),
      planned: shards.planned,
      waiting: shards.waiting,
      on_log: shards.released,
      running: shards.running,
    };
  });
}

export function simulationReport(
  played: Played,
  { breakingAlone, withoutIt, breakingAtSeconds }: Beside,
): Report {
  const rows = rowsOf(played.slices);
  const most = Math.max(1, ...rows.map((row) => row.messages_per_second));
  const breaking = played.breakingSeconds ?? Number.NaN;
  const result = {
    bulk_seconds: tenths(played.bulkSeconds),
    bulk_seconds_without_breaking: tenths(withoutIt),
    breaking_seconds: tenths(breaking),
    breaking_seconds_alone: tenths(breakingAlone),
    throttled: played.throttled,
    release_busy: Number(played.releaseShare.toFixed(3)),
  };
  return {
    title: 'npm run bench -- simulate',
    lines: [...rows, result],
    tables: [
      {
        heads: [
          'until, s',
          'messages/s',
          '',
          'throttled/s',
          'transactions/s',
          'planned',
          'waiting',
          'on the log',
          'running',
        ],
        rows: rows.map((row) => [
          row.until_second,
          row.messages_per_second,
          '█'.repeat(Math.round((WIDTH * row.messages_per_second) / most)),
          row.throttled_per_second,
          row.transactions_per_second,
          row.planned,
          row.waiting,
          row.on_log,
          row.running,
        ]),
      },
    ],
    notes: [
      `The delivery took ${result.bulk_seconds} s, without the breaking one ${result.bulk_seconds_without_breaking} s. ` +
        `The breaking one, created after ${breakingAtSeconds} s, took ${result.breaking_seconds} s: ` +
        `${(breaking / breakingAlone).toFixed(2)} times what it takes alone (${result.breaking_seconds_alone} s).`,
      `${played.throttled.toLocaleString('en')} requests were throttled. The statement that releases shards, one at a time, was busy ${(100 * played.releaseShare).toFixed(1)} % of the time.`,
    ],
    charts: chartsOf(rows),
  };
}

const chartsOf = (rows: readonly Row[]): Report['charts'] => [
  {
    kind: 'bars',
    title: 'Messages a second',
    unit: 'messages/s',
    bars: rows.map((row) => ({
      name: `until ${row.until_second} s`,
      value: row.messages_per_second,
      own: true,
    })),
  },
  {
    kind: 'stacks',
    title: 'Shards',
    unit: 'shards',
    bars: rows.map((row) => ({
      name: `after ${row.until_second} s`,
      parts: [
        { part: 'planned', value: row.planned },
        { part: 'waiting', value: row.waiting },
        { part: 'on the log', value: row.on_log },
        { part: 'running', value: row.running },
      ],
    })),
  },
];
