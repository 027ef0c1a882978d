import type { MeasuredCosts } from '../../api/cli/capacity/measured-costs.ts';
import { median, tenths } from '../median.ts';
import type { Report } from '../report/report.ts';
import type { Sent } from './measure.ts';

/** The forecast may be off by so much, in CPU time over all parts. */
const BOUND = 0.2;

export interface ForecastRow {
  readonly part: string;
  readonly forecast_cpu_seconds: number;
  readonly measured_cpu_seconds: number;
  readonly ratio: number;
}

/** What the costs foretell for the large audience beside what it took. */
export function forecastRows(
  costs: MeasuredCosts,
  encryptionUs: number,
  large: readonly Sent[],
): ForecastRow[] {
  const readers = large[0]?.readers ?? 0;
  const row = (part: string, us: number, of: (sent: Sent) => number): ForecastRow => {
    const [forecast, measured] = [(us * readers) / 1e6, median(large.map(of))];
    return {
      part,
      forecast_cpu_seconds: tenths(forecast),
      measured_cpu_seconds: tenths(measured),
      ratio: Number((measured / forecast).toFixed(2)),
    };
  };
  const engineUs = costs.engine_us + encryptionUs;
  const postgresUs = costs.postgres_read_us + costs.postgres_write_us;
  return [
    row('engine', engineUs, (sent) => sent.engine),
    row('Postgres', postgresUs, (sent) => sent.postgres),
    row('log', costs.log_us, (sent) => sent.log),
    row('ClickHouse', costs.clickhouse_us, (sent) => sent.clickhouse),
    row(
      'all',
      engineUs + postgresUs + costs.log_us + costs.clickhouse_us,
      (sent) => sent.engine + sent.postgres + sent.log + sent.clickhouse,
    ),
  ];
}

export const isWithin = (rows: readonly ForecastRow[]): boolean =>
  Math.abs((rows.find(({ part }) => part === 'all')?.ratio ?? Number.NaN) - 1) <= BOUND;

export function costsReport(costs: MeasuredCosts, rows: readonly ForecastRow[], readers: number): Report {
  const { encryption_us: encryption, ...others } = costs;
  const named = Object.entries(encryption).map(([name, us]): [string, number | null] => [
    `encryption_us, ${name}`,
    us,
  ]);
  const kept = isWithin(rows) ? 'The forecast holds' : 'The forecast does not hold';
  return {
    title: 'npm run bench -- costs',
    lines: [costs, ...rows],
    tables: [
      {
        heads: ['cost', 'value'],
        rows: [...named, ...Object.entries(others)].map(([name, value]) => [name, value]),
      },
      {
        title: `${readers.toLocaleString('en')} readers, CPU seconds`,
        heads: ['part', 'forecast', 'measured', 'measured / forecast'],
        rows: rows.map((row) => [row.part, row.forecast_cpu_seconds, row.measured_cpu_seconds, row.ratio]),
      },
    ],
    notes: [`${kept}: from a third of the readers, in CPU seconds over all parts (within ${BOUND * 100} %).`],
    charts: [
      {
        kind: 'bars',
        title: 'Measured beside the forecast',
        unit: 's of CPU',
        bars: rows.flatMap((row) => [
          { name: `${row.part}, forecast`, value: row.forecast_cpu_seconds },
          { name: `${row.part}, measured`, value: row.measured_cpu_seconds, own: true },
        ]),
      },
    ],
  };
}
