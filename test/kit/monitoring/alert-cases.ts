/** Series in promtool's notation: by a minute, `start+step x times`. */
export interface AlertCase {
  readonly alert: string;
  readonly severity: 'warning' | 'critical';
  /** The alert must fire on these … */
  readonly bad: Readonly<Record<string, string>>;
  /** … with exactly these labels beside its severity, and this text. */
  readonly labels: Readonly<Record<string, string>>;
  readonly summary: string;
  /** It must be silent on these. */
  readonly good: Readonly<Record<string, string>>;
  /** After this time. */
  readonly after?: string;
}

const SAMPLES = 500;
/** A figure that stays. */
const at = (value: number): string => `${value}+0x${SAMPLES}`;
/** A counter that goes up by this a minute. */
const by = (perMinute: number): string => `0+${perMinute}x${SAMPLES}`;

const engine = 'job="broadside",instance="engine:8081"';
const of = { job: 'broadside' } as const;
const oneEngine = { ...of, instance: 'engine:8081' } as const;
const state = (name: string): string => `broadside_engine_state{${engine},state="${name}"}`;
const runs = (instance: string, job = 'broadside'): string =>
  `broadside_engine_state{job="${job}",instance="${instance}",state="running"}`;
const attempts = (outcome: string): string =>
  `broadside_attempts_total{${engine},push_service="fcm",outcome="${outcome}"}`;
const fcm = { ...of, push_service: 'fcm' } as const;
const dependency = (name: string): string => `broadside_dependency_up{${engine},dependency="${name}"}`;
const other = (name: string): string =>
  `broadside_dependency_up{job="broadside",instance="api:8084",dependency="${name}"}`;
const disk = (what: 'free' | 'size'): string => `broadside_disk_${what}_bytes{${engine},disk="clickhouse"}`;
const certificate = `broadside_certificate_end_seconds{${engine},certificate="public"}`;
const requests = (status: string): string =>
  `broadside_api_requests_total{job="broadside",instance="api:8084",surface="public",status="${status}"}`;
const reports = (status: string): string =>
  `broadside_report_requests_total{job="broadside",instance="reporting:8083",status="${status}"}`;
const late = `broadside_deliveries_late_seconds{${engine},stage="plan"}`;
const lag = `broadside_log_lag_messages{${engine},topic="outcomes"}`;
const unknown = `broadside_attempts_unknown_total{${engine},push_service="fcm"}`;

export const alertCases: readonly AlertCase[] = [
  {
    ...{ alert: 'BroadsideNoEngine', severity: 'critical' },
    bad: { [state('running')]: at(0), [state('paused')]: at(1) },
    labels: {},
    summary: 'No engine runs: all are gone, paused or drained, and nothing is sent.',
    good: { [state('running')]: at(1), [state('paused')]: at(0) },
  },
  {
    ...{ alert: 'BroadsideEngineGone', severity: 'warning' },
    bad: { [state('running')]: '1+0x20 stale', [runs('b')]: at(1) },
    labels: { ...oneEngine, state: 'running' },
    summary: 'The engine engine:8081 has vanished without being drained, and none is in its place.',
    // An operator drained one first; of another installation, each was replaced by one of a new release.
    good: {
      [state('running')]: '1+0x10 0+0x10 stale',
      [runs('b')]: at(1),
      [runs('old', 'other')]: '1+0x20 stale',
      [runs('new', 'other')]: `_x18 1+0x${SAMPLES}`,
    },
  },
  {
    ...{ alert: 'BroadsideSendingStill', severity: 'critical' },
    bad: { [`broadside_sending_still_seconds{${engine}}`]: at(90) },
    labels: oneEngine,
    summary: 'engine:8081 has sent nothing for 1m 30s though shards run on it.',
    good: { [`broadside_sending_still_seconds{${engine}}`]: at(20) },
  },
  {
    ...{ alert: 'BroadsideBlocksFail', severity: 'critical' },
    bad: { [`broadside_blocks_failed_total{${engine}}`]: `0+0x20 1+0x${SAMPLES}` },
    labels: oneEngine,
    summary: 'Blocks of engine:8081 throw while they are sent.',
    good: { [`broadside_blocks_failed_total{${engine}}`]: at(1) },
  },
  {
    ...{ alert: 'BroadsideThreadsLost', severity: 'warning' },
    bad: { [`broadside_worker_threads_lost_total{${engine}}`]: `0+0x20 1+0x${SAMPLES}` },
    labels: oneEngine,
    summary: 'A worker thread of engine:8081 died; its blocks are sent again.',
    // It died long ago.
    good: { [`broadside_worker_threads_lost_total{${engine}}`]: at(1) },
  },
  {
    ...{ alert: 'BroadsideDeliveriesLate', severity: 'critical' },
    bad: { [late]: at(300) },
    labels: { ...of, stage: 'plan' },
    summary: 'The oldest due delivery has waited for 5m 0s (plan).',
    good: { [late]: at(100) },
  },
  {
    ...{ alert: 'BroadsideOutboxWaits', severity: 'critical' },
    bad: { [`broadside_outbox_oldest_seconds{${engine}}`]: at(90) },
    labels: of,
    summary: 'The oldest row of the outbox has waited for 1m 30s.',
    good: { [`broadside_outbox_oldest_seconds{${engine}}`]: at(2) },
  },
  {
    ...{ alert: 'BroadsideOutboxRefused', severity: 'critical' },
    bad: { [`broadside_outbox_refused_rows{${engine}}`]: at(3) },
    labels: of,
    summary: 'The log refused 3 rows of the outbox for what they are: they wait until its settings change.',
    good: { [`broadside_outbox_refused_rows{${engine}}`]: at(0) },
  },
  {
    ...{ alert: 'BroadsideLogLag', severity: 'warning' },
    bad: { [lag]: at(500) },
    labels: { ...of, topic: 'outcomes' },
    summary: '500 messages of outcomes wait on the log.',
    // Shards that are being sent are not lag; a burst that is taken is none either.
    good: {
      [`broadside_log_lag_messages{${engine},topic="shards.bulk"}`]: at(500),
      [lag]: `0+0x22 500+0x5 0+0x${SAMPLES}`,
    },
  },
  {
    ...{ alert: 'BroadsidePostgresAway', severity: 'critical' },
    // One process cannot reach it, another can.
    bad: { [dependency('postgres')]: at(0), [other('postgres')]: at(1) },
    labels: { ...of, dependency: 'postgres' },
    summary: 'Postgres does not answer: nothing is accepted or sent.',
    good: { [dependency('postgres')]: at(1), [other('postgres')]: at(1), [dependency('log')]: at(0) },
  },
  {
    ...{ alert: 'BroadsideLogAway', severity: 'critical' },
    bad: { [dependency('log')]: at(0) },
    labels: { ...of, dependency: 'log' },
    summary: 'Kafka, or the log on Postgres, does not answer: deliveries wait in the outbox.',
    good: { [dependency('log')]: at(1), [dependency('postgres')]: at(0) },
  },
  {
    ...{ alert: 'BroadsideClickHouseAway', severity: 'warning' },
    bad: { [dependency('clickhouse')]: at(0) },
    labels: { ...of, dependency: 'clickhouse' },
    summary: 'ClickHouse does not answer: sending goes on, results wait on the log.',
    // It was restarted.
    good: { [dependency('clickhouse')]: `1+0x27 0+0x1 1+0x${SAMPLES}` },
  },
  {
    ...{ alert: 'BroadsideDiskFull', severity: 'warning' },
    bad: { [disk('free')]: at(10), [disk('size')]: at(100) },
    labels: { ...of, disk: 'clickhouse' },
    summary: 'Of the disk clickhouse, 10% is free.',
    good: { [disk('free')]: at(20), [disk('size')]: at(100) },
  },
  {
    ...{ alert: 'BroadsideDiskFull', severity: 'critical' },
    bad: { [disk('free')]: at(4), [disk('size')]: at(100) },
    labels: { ...of, disk: 'clickhouse' },
    summary: 'Of the disk clickhouse, 4% is free.',
    good: { [disk('free')]: at(6), [disk('size')]: at(100) },
  },
  {
    ...{ alert: 'BroadsideCertificateEnds', severity: 'warning' },
    // The clock of these tests starts at 0.
    bad: { [certificate]: at(10 * 86_400) },
    labels: { ...of, certificate: 'public' },
    summary: 'The certificate "public" ends in 9d 22h 0m 0s.',
    good: { [certificate]: at(20 * 86_400) },
    after: '2h',
  },
  {
    ...{ alert: 'BroadsideCertificateEnds', severity: 'critical' },
    bad: { [certificate]: at(86_400) },
    labels: { ...of, certificate: 'public' },
    summary: 'The certificate "public" ends in 22h 0m 0s.',
    good: { [certificate]: at(3 * 86_400) },
    after: '2h',
  },
  {
    ...{ alert: 'BroadsidePushServiceAway', severity: 'critical' },
    bad: { [`broadside_governor_breakers_open{${engine},push_service="fcm"}`]: at(3) },
    labels: fcm,
    summary: 'fcm does not answer: the breakers of 3 apps are open.',
    // One that closes again.
    good: {
      [`broadside_governor_breakers_open{${engine},push_service="fcm"}`]: `0+0x27 3+0x1 0+0x${SAMPLES}`,
    },
  },
  {
    ...{ alert: 'BroadsidePushServiceThrottles', severity: 'warning' },
    bad: { [attempts('throttled')]: by(250), [attempts('accepted')]: by(750) },
    labels: fcm,
    summary: 'fcm throttles 25% of all attempts.',
    good: { [attempts('throttled')]: by(5), [attempts('accepted')]: by(995) },
  },
  {
    ...{ alert: 'BroadsideSenderRejected', severity: 'critical' },
    bad: { [attempts('rejected')]: by(100), [attempts('accepted')]: by(900) },
    labels: fcm,
    summary: 'fcm rejects 10% of all attempts.',
    // All of five readers: too few to be a share.
    good: { [attempts('rejected')]: `0+1x5 5+0x${SAMPLES}`, [attempts('accepted')]: at(0) },
  },
  {
    ...{ alert: 'BroadsideAmbiguous', severity: 'warning' },
    bad: { [unknown]: by(50), [attempts('unreachable')]: by(50), [attempts('accepted')]: by(950) },
    labels: fcm,
    summary: 'fcm never answered 5% of all attempts: some readers may get a notification twice.',
    good: { [unknown]: by(5), [attempts('unreachable')]: by(5), [attempts('accepted')]: by(995) },
  },
  {
    ...{ alert: 'BroadsideErrorBudget', severity: 'critical' },
    bad: { [attempts('unreachable')]: by(200), [attempts('gone')]: by(100), [attempts('accepted')]: by(700) },
    labels: of,
    summary: '20% of what was sent in 1h failed: 14.4 times what may fail in the long run.',
    // Readers who left, and messages that are put off, are not failures.
    good: { [attempts('gone')]: by(900), [attempts('throttled')]: by(900), [attempts('accepted')]: by(100) },
    after: '2h',
  },
  {
    ...{ alert: 'BroadsideErrorBudget', severity: 'warning' },
    bad: { [attempts('expired')]: by(80), [attempts('accepted')]: by(920) },
    labels: of,
    summary: '8% of what was sent in 6h failed: 6 times what may fail in the long run.',
    // It was so, and has ended.
    good: {
      [attempts('expired')]: `0+80x380 30400+0x${SAMPLES}`,
      [attempts('accepted')]: by(920),
    },
    after: '7h',
  },
  {
    ...{ alert: 'BroadsideApiFails', severity: 'warning' },
    bad: { [requests('5xx')]: by(2), [requests('2xx')]: by(98) },
    labels: { ...of, surface: 'public' },
    summary: 'The API answers 2% of the requests to public with 5xx.',
    good: { [requests('5xx')]: at(7), [requests('2xx')]: by(98), [requests('429')]: by(500) },
  },
  {
    ...{ alert: 'BroadsideApiFails', severity: 'critical' },
    bad: { [requests('5xx')]: by(10), [requests('2xx')]: by(90) },
    labels: { ...of, surface: 'public' },
    summary: 'The API answers 10% of the requests to public with 5xx.',
    good: { [requests('5xx')]: by(2), [requests('2xx')]: by(98) },
  },
  {
    ...{ alert: 'BroadsideReportsFail', severity: 'warning' },
    bad: { [reports('503')]: by(2), [reports('200')]: by(8) },
    labels: of,
    summary: '20% of the reports fail.',
    good: { [reports('422')]: by(5), [reports('200')]: by(5) },
  },
];
