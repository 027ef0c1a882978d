import { type MetricEntry, none } from './metric-entry.ts';

/** The topics that the reporting role takes from the log. */
export const ingestTopics = ['ad-stats', 'fx-rates'] as const;
export type IngestTopic = (typeof ingestTopics)[number];

/** The answers to a request for a report; `other` should not occur. */
export const reportStatuses: readonly string[] = [
  ...['200', '400', '401', '404', '405', '406', '413', '415', '422', '429', '500', '503'],
  'other',
] as const;

/** Why an answer broke off in its middle: its client disconnected, it took too long, its rows did not end, or others needed its room. */
export const brokenOffReasons = ['reader', 'time', 'rows', 'slow'] as const;

export const jobEndings = ['done', 'failed', 'given-back'] as const;

/** Statements through the Postgres wire: of reports, of the catalogue, of the session; refused with a reason; broken by a bug. */
export const wireEndings = ['report', 'catalogue', 'session', 'refused', 'failed'] as const;

/** Of the reporting role. */
export const reportingEntries = {
  ingestBatches: {
    name: 'broadside_ingest_batches_total',
    kind: 'counter',
    unit: 'batches',
    meaning: 'Batches of ad statistics and of rates that count now or did before, by topic.',
    labels: { topic: ingestTopics },
  },
  ingestRows: {
    name: 'broadside_ingest_rows_total',
    kind: 'counter',
    unit: 'rows',
    meaning: 'Rows that came in with those batches, by topic; none of a batch that was known to count.',
    labels: { topic: ingestTopics },
  },
  ingestSetAside: {
    name: 'broadside_ingest_rows_set_aside_total',
    kind: 'counter',
    unit: 'rows',
    meaning: 'Bad rows of ad statistics on the log, kept in ad_stats_refused with their reason.',
    labels: none,
  },
  ingestSeconds: {
    name: 'broadside_ingest_batch_seconds',
    kind: 'histogram',
    unit: 'seconds',
    meaning: 'From taking a batch from the log until it counts, by topic.',
    labels: { topic: ingestTopics },
    bounds: [0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30],
  },
  ingestLag: {
    name: 'broadside_ingest_lag_messages',
    kind: 'gauge',
    across: 'most',
    unit: 'messages',
    meaning:
      'Batches on the log that do not count yet, by topic, read when asked; absent while the log is unavailable.',
    labels: { topic: ingestTopics },
  },
  reportRequests: {
    name: 'broadside_report_requests_total',
    kind: 'counter',
    unit: 'requests',
    meaning: 'Requests for a report by the status of their answer.',
    labels: { status: reportStatuses },
  },
  reportSeconds: {
    name: 'broadside_report_seconds',
    kind: 'histogram',
    unit: 'seconds',
    meaning: 'From a request for a report to the end of its answer, of those that were answered with one.',
    labels: none,
    bounds: [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60],
  },
  reportBytes: {
    name: 'broadside_report_bytes_total',
    kind: 'counter',
    unit: 'bytes',
    meaning: 'Bytes of reports as ClickHouse gave them.',
    labels: none,
  },
  reportRows: {
    name: 'broadside_report_rows_total',
    kind: 'counter',
    unit: 'rows',
    meaning: 'Rows of reports, except for those in Parquet.',
    labels: none,
  },
  reportsBrokenOff: {
    name: 'broadside_reports_broken_off_total',
    kind: 'counter',
    unit: 'answers',
    meaning: 'Answers that broke off after their first byte, by why.',
    labels: { reason: brokenOffReasons },
  },
  reportsInHand: {
    name: 'broadside_reports_in_hand',
    kind: 'gauge',
    across: 'sum',
    unit: 'reports',
    meaning: 'Reports that this process makes or sends.',
    labels: none,
  },
  reportUnreadBytes: {
    name: 'broadside_report_unread_bytes',
    kind: 'gauge',
    across: 'sum',
    unit: 'bytes',
    meaning: 'In the memory of this process, of reports whose clients have not read them yet.',
    labels: none,
  },
  reportJobsEnded: {
    name: 'broadside_report_jobs_ended_total',
    kind: 'counter',
    unit: 'runs',
    meaning: 'Runs of report jobs by how they ended; one that was given back is run again, or deleted.',
    labels: { ending: jobEndings },
  },
  wireStatements: {
    name: 'broadside_report_wire_statements_total',
    kind: 'counter',
    unit: 'statements',
    meaning: 'Statements of clients of Postgres, by their kind; refused ones and failed ones apart.',
    labels: { ending: wireEndings },
  },
  wireSeconds: {
    name: 'broadside_report_wire_seconds',
    kind: 'histogram',
    unit: 'seconds',
    meaning: 'From a statement that asks for a report to the end of its query.',
    labels: none,
    bounds: [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60],
  },
  wireConnections: {
    name: 'broadside_report_wire_connections',
    kind: 'gauge',
    across: 'sum',
    unit: 'connections',
    meaning: 'Open connections of clients of Postgres.',
    labels: none,
  },
} as const satisfies Readonly<Record<string, MetricEntry>>;
