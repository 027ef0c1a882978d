import type { Report, Table } from '../report/report.ts';
import type { ScaleRow } from './measure.ts';

/** The tolerated growth of a message's cost, and of memory, from the reference to a larger audience. */
const COST_BOUND = 1.05;
const MEMORY_BOUND = 1.1;
const PLAN_LIMIT_MS = 4_000;
/** What larger audiences are compared with; the smallest one where this was not measured. */
const REFERENCE = 100_000;

const referenceOf = (rows: readonly ScaleRow[]): ScaleRow | undefined =>
  rows.find(({ subscribers }) => subscribers === REFERENCE) ?? rows[0];

const ratio = (of: number, to: number | undefined): number => Number((of / (to ?? Number.NaN)).toFixed(2));

export function scaleReport(rows: readonly ScaleRow[]): Report {
  const reference = referenceOf(rows);
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
          'ratio',
          'messages/s',
          'seconds',
          'peak MB',
          'ratio',
          'plan, ms',
          'rows in ClickHouse',
          'deliveries',
          'double µs/message',
          'Postgres µs/message',
          'disk MB',
        ],
        rows: rows.map((row) => [
          row.subscribers,
          row.cpu_us_per_message,
          ratio(row.cpu_us_per_message, reference?.cpu_us_per_message),
          row.messages_per_second,
          row.seconds,
          row.rss_peak_mb,
          ratio(row.rss_peak_mb, reference?.rss_peak_mb),
          row.plan_ms,
          row.clickhouse_rows,
          row.deliveries,
          row.double_cpu_us_per_message,
          row.database_cpu_us_per_message,
          row.disk_mb,
        ]),
      },
      readsTable(rows),
    ],
    notes: [verdict(rows), boundsVerdict(rows)],
    charts: [
      { kind: 'bars', title: 'CPU per message', unit: 'µs', bars: bars((row) => row.cpu_us_per_message) },
      { kind: 'bars', title: 'Peak memory', unit: 'MB', bars: bars((row) => row.rss_peak_mb) },
      { kind: 'bars', title: 'Time to plan', unit: 'ms', bars: bars((row) => row.plan_ms) },
    ],
  };
}

/** The slowest request of each read, at each size. */
const readsTable = (rows: readonly ScaleRow[]): Table => ({
  title: 'The slowest request, ms',
  heads: ['read', ...rows.map(({ subscribers }) => subscribers.toLocaleString('en')), 'at most'],
  rows: (rows[0]?.reads ?? []).map(({ name, limit_ms }, index) => [
    name,
    ...rows.map(({ reads }) => {
      const read = reads[index];
      return read === undefined ? null : read.refused === null ? read.ms : `refused after ${read.ms}`;
    }),
    limit_ms,
  ]),
});

/** In one line: plans and reads of every size beside what they may take. */
export function boundsVerdict(rows: readonly ScaleRow[]): string {
  const over = rows.flatMap(({ subscribers, plan_ms, reads }) => {
    const at = `at ${subscribers.toLocaleString('en')}`;
    const slow = reads.filter(({ ms, limit_ms, refused }) => ms > limit_ms || refused !== null);
    return [
      ...(plan_ms > PLAN_LIMIT_MS ? [`the plan ${at}`] : []),
      ...slow.map(({ name, refused }) => `${name} ${at}${refused === null ? '' : ` (${refused})`}`),
    ];
  });
  return over.length === 0
    ? `Plans (at most ${PLAN_LIMIT_MS / 1_000} s), lists, counts and analytics are within their limits.`
    : `Over their limits: ${over.join('; ')}.`;
}

/** In one line: the largest audience beside the reference. */
export function verdict(rows: readonly ScaleRow[]): string {
  const smaller = referenceOf(rows);
  const larger = rows.at(-1);
  if (smaller === undefined || larger === undefined || smaller === larger)
    return 'One size alone shows no growth.';
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
