import { median, tenths } from '../median.ts';
import type { Report, Table } from '../report/report.ts';
import type { Measured } from './measure.ts';

/** The tolerated growth of a message's cost from one engine to the most. */
const COST_BOUND = 1.1;

export interface EnginesRow {
  readonly engines: number;
  readonly messages_per_second: number;
  readonly engine_us: number;
  readonly postgres_us: number;
  readonly log_us: number;
  readonly clickhouse_us: number;
  /** Engines, Postgres and the log. */
  readonly all_us: number;
  /** Of these, what they cost with nothing to do in the same time. */
  readonly idle_us: number;
  readonly idle_engine_ms: number;
  readonly idle_postgres_ms: number;
  readonly idle_log_ms: number;
  readonly transactions_per_1000: number;
  readonly lock_wait_ms_per_1000: number;
  readonly least_engine: number;
  readonly other_delivery: number;
  readonly take_over_seconds: number | null;
}

/** The median of the rounds of each number of engines, in the order of the numbers. */
export function rowsOf(measured: readonly Measured[]): EnginesRow[] {
  const counts = [...new Set(measured.map(({ engines }) => engines))];
  return counts.map((engines) => {
    const rounds = measured.filter((one) => one.engines === engines);
    const middle = (of: (one: Measured) => number): number => median(rounds.map(of));
    const taken = rounds.flatMap(({ takeOver }) => (takeOver === null ? [] : [takeOver.seconds]));
    return {
      engines,
      messages_per_second: Math.round(middle(({ messages, seconds }) => messages / seconds)),
      engine_us: tenths(middle((one) => one.engineUs)),
      postgres_us: tenths(middle((one) => one.postgresUs)),
      log_us: tenths(middle((one) => one.logUs)),
      clickhouse_us: tenths(middle((one) => one.clickhouseUs)),
      all_us: tenths(middle((one) => one.engineUs + one.postgresUs + one.logUs)),
      idle_us: tenths(middle((one) => one.idleUs)),
      idle_engine_ms: tenths(middle((one) => one.idleEngineMs)),
      idle_postgres_ms: tenths(middle((one) => one.idlePostgresMs)),
      idle_log_ms: tenths(middle((one) => one.idleLogMs)),
      transactions_per_1000: tenths(middle((one) => one.transactions)),
      lock_wait_ms_per_1000: tenths(middle((one) => one.lockWaitMs)),
      least_engine: percent(middle((one) => one.leastShare)),
      other_delivery: percent(middle((one) => one.otherShare)),
      take_over_seconds: taken.length === 0 ? null : tenths(median(taken)),
    };
  });
}

const percent = (share: number): number => Math.round(share * 100);

export function enginesReport(measured: readonly Measured[]): Report {
  const rows = rowsOf(measured);
  return {
    title: 'npm run bench -- engines',
    lines: rows,
    tables: [costTable(rows), fairnessTable(rows)],
    notes: [verdict(rows)],
    charts: [
      {
        kind: 'stacks',
        title: 'CPU per message',
        unit: 'µs',
        bars: rows.map((row) => ({
          name: row.engines === 1 ? '1 engine' : `${row.engines} engines`,
          parts: [
            { part: 'engines', value: row.engine_us },
            { part: 'Postgres', value: row.postgres_us },
            { part: 'log', value: row.log_us },
          ],
        })),
      },
    ],
  };
}

const costTable = (rows: readonly EnginesRow[]): Table => ({
  heads: [
    'engines',
    'messages/s',
    'engines µs/message',
    'Postgres µs',
    'log µs',
    'all three µs',
    'of which idle µs',
    'ClickHouse µs',
    'idle ms/s an engine',
    'idle ms/s Postgres',
    'idle ms/s log',
  ],
  rows: rows.map((row) => [
    row.engines,
    row.messages_per_second,
    row.engine_us,
    row.postgres_us,
    row.log_us,
    row.all_us,
    row.idle_us,
    row.clickhouse_us,
    row.idle_engine_ms,
    row.idle_postgres_ms,
    row.idle_log_ms,
  ]),
});

const fairnessTable = (rows: readonly EnginesRow[]): Table => ({
  heads: [
    'engines',
    'transactions/1,000',
    'lock waits, ms/1,000',
    'least busy engine, % of the mean',
    'other organization at the first end, %',
    'taken over after, s',
  ],
  rows: rows.map((row) => [
    row.engines,
    row.transactions_per_1000,
    row.lock_wait_ms_per_1000,
    row.least_engine,
    row.other_delivery,
    row.take_over_seconds,
  ]),
});

/** In one line: the most engines beside the fewest. */
export function verdict(rows: readonly EnginesRow[]): string {
  const [few, many] = [rows[0], rows.at(-1)];
  if (few === undefined || many === undefined || few === many)
    return 'One number of engines alone shows no growth.';
  const ratio = many.all_us / few.all_us;
  const kept = ratio <= COST_BOUND ? 'Coordination is cheap' : 'Coordination is dear';
  return (
    `${kept}: with ${many.engines} engines a message costs ${ratio.toFixed(2)} times what it costs with ${few.engines} ` +
    `(at most ${COST_BOUND}), in engines, Postgres and the log together.`
  );
}
