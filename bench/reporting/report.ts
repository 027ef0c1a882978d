import type { Report } from '../report/report.ts';
import type { ReportingResult } from './measure.ts';

/** The allowed ratio of a report's time to its hand-written SQL. */
const MAX_RATIO = 1.15;
const MAX_MORE_MS = 5;

export function reportingReport({ rows, questions, imported, job }: ReportingResult): Report {
  const size = `${rows.toLocaleString('en')} rows of ad statistics`;
  const over = questions.filter((row) => row.p50_ms > row.direct_p50_ms * MAX_RATIO + MAX_MORE_MS);
  return {
    title: `npm run bench -- reporting: ${size}`,
    lines: [
      ...questions.map((row) => ({ ...row, statistics: rows })),
      ...(imported === null ? [] : [{ request: 'import of Parquet', ...imported }]),
      ...(job === null ? [] : [{ request: 'job to Parquet', ...job }]),
    ],
    tables: [
      {
        title: size,
        heads: ['request', 'rows', 'p50 ms', 'p95 ms', 'first byte p50 ms', 'by hand p50 ms', 'ratio'],
        rows: questions.map((row) => [
          row.request,
          row.rows,
          row.p50_ms,
          row.p95_ms,
          row.first_byte_p50_ms,
          row.direct_p50_ms,
          row.ratio,
        ]),
      },
    ],
    notes: [
      over.length === 0
        ? `At ${size} each is within ${MAX_RATIO} times the hand-written SQL plus ${MAX_MORE_MS} ms.`
        : `At ${size}, beyond ${MAX_RATIO} times the hand-written SQL plus ${MAX_MORE_MS} ms: ${over.map(({ request }) => request).join('; ')}.`,
      ...(imported === null
        ? []
        : [
            `Parquet: ${imported.rows.toLocaleString('en')} rows (${imported.file_mb} MB) in ${imported.seconds} s, ${imported.rows_per_second.toLocaleString('en')} rows/s, checked and on disk.`,
          ]),
      ...(job === null
        ? []
        : [
            `A job to Parquet: ${job.rows.toLocaleString('en')} rows of 10 columns (${job.file_mb} MB) in ${job.seconds} s, by hand ${job.direct_seconds} s: ${job.ratio}. The reporting process had ${job.peak_before_mb} MB at its peak before, ${job.peak_mb} after.`,
          ]),
    ],
    charts: [
      {
        kind: 'bars',
        title: 'Median of each report',
        unit: 'ms',
        bars: questions.map(({ request: name, p50_ms: value, direct_p50_ms: low, p95_ms: high }) => ({
          ...{ name, value, own: true, low: Math.min(low, value), high },
        })),
      },
    ],
  };
}
