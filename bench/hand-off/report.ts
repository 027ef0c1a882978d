import type { Report } from '../report/report.ts';
import type { HandOffRow } from './measure.ts';

/** The last hand-off of a breaking delivery beside a bulk one, by what it takes alone. */
const AIM = 1.2;

export function handOffReport(rows: readonly HandOffRow[]): Report {
  const nameOf = ({ subscribers, beside }: HandOffRow): string =>
    `${subscribers.toLocaleString('en')}, ${beside === 0 ? 'alone' : `beside ${beside.toLocaleString('en')}`}`;
  return {
    title: 'npm run bench -- hand-off',
    lines: rows,
    tables: [
      {
        heads: [
          'log',
          'readers',
          'first, ms',
          'p50, ms',
          'p99, ms',
          'last, ms',
          'last by alone',
          'bulk meanwhile',
        ],
        rows: rows.map((row) => [
          ...[row.log, nameOf(row), row.first_ms, row.p50_ms, row.p99_ms, row.last_ms],
          ...[Math.round(row.ratio * 100) / 100, Math.round(row.bulk_meanwhile * 100) / 100],
        ]),
      },
    ],
    notes: rows
      .filter(({ beside }) => beside > 0)
      .map(
        (row) =>
          `${nameOf(row)}: the last reader waits ${row.ratio.toFixed(2)} times as long as alone ` +
          `(at most ${AIM}: ${row.ratio <= AIM ? 'met' : 'missed'}).`,
      ),
    charts: [
      {
        kind: 'bars',
        title: 'Until the last reader was reached',
        unit: 'ms',
        bars: rows.map((row) => ({ name: nameOf(row), value: row.last_ms, own: true })),
      },
    ],
  };
}
