import { median, tenths } from '../median.ts';
import type { Report } from '../report/report.ts';
import type { Reading } from './measure.ts';

/** The median of the rounds of each. */
export function replicasReport(measured: readonly Reading[]): Report {
  const rows = (['primary', 'replicas'] as const).map((from) => {
    const rounds = measured.filter((one) => one.from === from);
    const middle = (of: (one: Reading) => number): number => median(rounds.map(of));
    return {
      targets_from: from,
      primary_us: tenths(middle((one) => one.primaryUs)),
      replicas_us: tenths(middle((one) => one.replicasUs)),
      engine_us: tenths(middle((one) => one.engineUs)),
      by_replicas_percent: Math.round(100 * middle((one) => one.byReplicas)),
    };
  });
  const [alone, beside] = rows;
  const saved = tenths((alone?.primary_us ?? Number.NaN) - (beside?.primary_us ?? Number.NaN));
  return {
    title: 'npm run bench -- replicas',
    lines: rows,
    tables: [
      {
        heads: [
          'targets from the',
          'primary µs/message',
          'replicas µs/message',
          'engine µs/message',
          'reads by replicas, %',
        ],
        rows: rows.map((row) => [
          row.targets_from,
          row.primary_us,
          row.replicas_us,
          row.engine_us,
          row.by_replicas_percent,
        ]),
      },
    ],
    notes: [
      `A message costs the primary ${saved} µs less when replicas answer ${beside?.by_replicas_percent} % of the reads.`,
    ],
    charts: [
      {
        kind: 'stacks',
        title: 'CPU per message',
        unit: 'µs',
        bars: rows.map((row) => ({
          name: `targets from the ${row.targets_from}`,
          parts: [
            { part: 'primary', value: row.primary_us },
            { part: 'replicas', value: row.replicas_us },
            { part: 'engine', value: row.engine_us },
          ],
        })),
      },
    ],
  };
}
