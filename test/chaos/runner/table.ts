import { messagesCorrected } from './promises.ts';
import type { RunResult } from './run-once.ts';
import { messagesOf } from './schedule.ts';

interface Row {
  times: number;
  runs: number;
  lost: number;
  duplicates: number;
  slowestMs: number;
}

/**
 * Faults against outcomes. A run has several faults, so its outcome stands in the row of each of them:
 * subscribers that were lost, messages that came twice, and the longest time from the end of a run's last
 * fault until all was quiet.
 */
export function faultTable(results: readonly RunResult[]): string {
  const rows = new Map<string, Row>();
  for (const result of results) {
    const { faults } = result.schedule;
    const lost = Math.max(
      0,
      messagesOf(result.schedule) + messagesCorrected(result.books) - result.books.ledger.distinct,
    );
    for (const kind of new Set(faults.map((fault) => fault.kind))) {
      const row = rows.get(kind) ?? { times: 0, runs: 0, lost: 0, duplicates: 0, slowestMs: 0 };
      row.times += faults.filter((fault) => fault.kind === kind).length;
      row.runs++;
      row.lost += lost;
      row.duplicates += result.books.ledger.duplicates;
      row.slowestMs = Math.max(row.slowestMs, result.recoveryMs);
      rows.set(kind, row);
    }
  }
  const lines = [...rows]
    .sort(([one], [other]) => one.localeCompare(other))
    .map(([kind, row]) => [
      kind,
      row.times,
      row.runs,
      row.lost,
      row.duplicates,
      `${(row.slowestMs / 1_000).toFixed(1)} s`,
    ]);
  return aligned([['fault', 'times', 'runs', 'lost', 'duplicates', 'slowest recovery'], ...lines]);
}

function aligned(lines: readonly (readonly (string | number)[])[]): string {
  const widths =
    lines[0]?.map((_, column) => Math.max(...lines.map((line) => String(line[column]).length))) ?? [];
  const cell = (value: string | number, column: number): string =>
    column === 0 ? String(value).padEnd(widths[0] ?? 0) : String(value).padStart(widths[column] ?? 0);
  return lines.map((line) => line.map(cell).join('  ')).join('\n');
}
