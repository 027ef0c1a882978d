import type { Report } from '../report/report.ts';
import type { ScaleRow } from './measure.ts';

/** The tolerated growth of a message's cost, and of memory, from one audience to the next larger. */
const COST_BOUND = 1.05;
const MEMORY_BOUND = 1.1;

export function scaleReport(rows: readonly ScaleRow[]): Report {
  const bars = (of: (row: ScaleRow) => number) =>
    rows.map((row) => ({
      name: `${row.subscribers.toLocaleString('en')} subscribers`,
      value: of(row),
      own: true,
    }));
  return {
    title: 'npm run bench -- scale',
    lines: rows,
    tables: [
      {
        heads: [
          'subscribers',
          'CPU µs/message',
          'messages/s',
          'seconds',
          'peak MB',
          'plan, ms',
          'rows in ClickHouse',
          'deliveries',
          'double µs/message',
        ],
        rows: rows.map((row) => [
          row.subscribers,
          row.cpu_us_per_message,
          row.messages_per_second,
          row.seconds,
          row.rss_peak_mb,
          row.plan_ms,
          row.clickhouse_rows,
          row.deliveries,
          row.double_cpu_us_per_message,
        ]),
      },
    ],
    notes: [verdict(rows)],
    charts: [
      { kind: 'bars', title: 'CPU per message', unit: 'µs', bars: bars((row) => row.cpu_us_per_message) },
      { kind: 'bars', title: 'Peak memory', unit: 'MB', bars: bars((row) => row.rss_peak_mb) },
      { kind: 'bars', title: 'Time to plan', unit: 'ms', bars: bars((row) => row.plan_ms) },
    ],
  };
}

/** In one line: the largest audience beside the next smaller. */
export function verdict(rows: readonly ScaleRow[]): string {
  const [smaller, larger] = rows.slice(-2);
  if (smaller === undefined || larger === undefined) return 'One size alone shows no growth.';
  const cost = larger.cpu_us_per_message / smaller.cpu_us_per_message;
  const memory = larger.rss_peak_mb / smaller.rss_peak_mb;
  const [few, many] = [smaller, larger].map((row) => row.subscribers.toLocaleString('en'));
  const linear = cost <= COST_BOUND ? 'Linear' : 'Not linear';
  const level = memory <= MEMORY_BOUND ? 'level' : 'not level';
  return (
    `${linear}: a message to ${many} costs ${cost.toFixed(2)} times one to ${few} (at most ${COST_BOUND}); ` +
    `memory is ${level}, ${memory.toFixed(2)} times (at most ${MEMORY_BOUND}).`
  );
}
