import type { Report } from '../report/report.ts';
import type { CaseRow } from './measure.ts';

/** On one scale per group: work per message costs more than work per answer. */
export function microReport(rows: readonly CaseRow[], rounds: number): Report {
  const groups = [...Map.groupBy(rows, ({ group }) => group)];
  return {
    title: 'npm run bench -- micro',
    lines: rows,
    tables: [
      {
        heads: ['what', 'a', 'minimum µs', 'median µs', 'maximum µs', 'ratio'],
        rows: rows.map(({ group, name, unit, minimum, median, maximum, ratio }) => [
          `${group}: ${name}`,
          unit,
          ...[minimum, median, maximum, ratio],
        ]),
      },
    ],
    notes: [`CPU time, medians of ${rounds} alternating rounds, Node ${process.version}.`],
    charts: groups.map(([group, of]) => ({
      kind: 'bars',
      title: group,
      unit: 'µs',
      bars: of.map(({ name, unit, minimum: low, median: value, maximum: high }) => ({
        ...{ name: `${name}, a ${unit}`, value, low, high },
      })),
    })),
  };
}
