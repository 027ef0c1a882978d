import type { Report } from '../report/report.ts';

export interface StartRow {
  readonly what: string;
  readonly unit: string;
  readonly value: number;
  /** At most; null: nothing was promised. */
  readonly aim: number | null;
}

export function startReport(rows: readonly StartRow[]): Report {
  const missed = rows.filter(({ value, aim }) => aim !== null && value > aim);
  return {
    title: 'npm run bench -- start',
    lines: rows,
    tables: [
      {
        heads: ['what', 'value', 'aim', 'unit'],
        rows: rows.map(({ what, value, aim, unit }) => [what, value, aim, unit]),
      },
    ],
    notes: [
      missed.length === 0
        ? 'Every aim is met.'
        : `Missed: ${missed.map(({ what, value, aim, unit }) => `${what}, ${value} instead of ${aim} ${unit}`).join('; ')}.`,
    ],
    charts: [],
  };
}
