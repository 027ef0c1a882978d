import { limits } from './limits.ts';
import type { MetricKey } from './promql.ts';
import { type Matchers, seriesOf } from './promql.ts';
import { failedShare, rateOf, shareOf, unknownShare, whole } from './shares.ts';

/** A rule of an alert. Two of one name differ in severity. */
export interface Alert {
  /** Its heading in engine/OPERATIONS.md. */
  readonly name: string;
  readonly severity: 'warning' | 'critical';
  readonly expr: string;
  /** How long it must hold. */
  readonly for: string;
  /** One line; `{{ $labels.… }}` and `{{ $value }}` as Prometheus has them. */
  readonly summary: string;
}

type Severity = Alert['severity'];
const both: readonly Severity[] = ['warning', 'critical'];

const DAY_S = 86_400;
/** How many times as fast as it would last, in a long and a short window: so it fires soon and ends soon. */
const burns = [
  { severity: 'critical', times: 14.4, long: '1h', short: '5m', for: '2m' },
  { severity: 'warning', times: 6, long: '6h', short: '30m', for: '15m' },
] as const;
/** Below this number of attempts an hour, one reader's dead endpoint would be a share. */
const FEW_ATTEMPTS = 100;

const away = (dependency: 'postgres' | 'clickhouse' | 'log'): string =>
  `${whole('dependencyUp', { dependency })} == 0`;

/** A share that matters only where there is traffic. */
const ofMany = <Key extends MetricKey>(
  share: string,
  key: Key,
  matchers: Matchers<Key>,
  drop: string,
): string => `${share}\nand ${rateOf(key, '10m', { matchers, without: drop })} * 600 > ${FEW_ATTEMPTS}`;

const running = seriesOf('engineState', { state: 'running' });

const engines: readonly Alert[] = [
  {
    name: 'BroadsideNoEngine',
    severity: 'critical',
    expr: `absent(${running} == 1)`,
    for: '2m',
    summary: 'No engine runs: all are gone, paused or drained, and nothing is sent.',
  },
  {
    name: 'BroadsideEngineGone',
    severity: 'warning',
    // The typical number of an hour: a new release brings as many engines under other names.
    expr: `last_over_time(${running}[1h]) == 1\nunless ${running}\nand on (job) count by (job) (${running})\n  < quantile_over_time(0.5, count by (job) (${running})[1h:1m])`,
    for: '5m',
    summary:
      'The engine {{ $labels.instance }} has vanished without being drained, and none is in its place.',
  },
  {
    name: 'BroadsideSendingStill',
    severity: 'critical',
    expr: `${seriesOf('sendingStill')} > ${limits.sendingStillSeconds.critical}`,
    for: '0m',
    summary:
      '{{ $labels.instance }} has sent nothing for {{ $value | humanizeDuration }} though shards run on it.',
  },
  {
    name: 'BroadsideBlocksFail',
    severity: 'critical',
    expr: `increase(${seriesOf('blocksFailed')}[1h]) > 0`,
    for: '0m',
    summary: 'Blocks of {{ $labels.instance }} throw while they are sent.',
  },
  {
    name: 'BroadsideThreadsLost',
    severity: 'warning',
    expr: `increase(${seriesOf('workerThreadsLost')}[1h]) > 0`,
    for: '0m',
    summary: 'A worker thread of {{ $labels.instance }} died; its blocks are sent again.',
  },
];

const waiting: readonly Alert[] = [
  {
    name: 'BroadsideDeliveriesLate',
    severity: 'critical',
    expr: `${whole('deliveriesLate')} > ${limits.lateSeconds.critical}`,
    for: '2m',
    summary: 'The oldest due delivery has waited for {{ $value | humanizeDuration }} ({{ $labels.stage }}).',
  },
  {
    name: 'BroadsideOutboxWaits',
    severity: 'critical',
    expr: `${whole('outboxOldest')} > ${limits.outboxSeconds.critical}`,
    for: '2m',
    summary: 'The oldest row of the outbox has waited for {{ $value | humanizeDuration }}.',
  },
  {
    name: 'BroadsideOutboxRefused',
    severity: 'critical',
    expr: `${whole('outboxRefused')} > 0`,
    for: '1m',
    summary:
      'The log refused {{ $value }} rows of the outbox for what they are: they wait until its settings change.',
  },
  {
    name: 'BroadsideLogLag',
    severity: 'warning',
    expr: `${whole('logLag', { topic: ['deliveries', 'deliveries.breaking', 'outcomes', 'events', 'ad-stats', 'fx-rates'] })} > ${limits.logLag.warning}`,
    for: '10m',
    summary: '{{ $value }} messages of {{ $labels.topic }} wait on the log.',
  },
];

const servers: readonly Alert[] = [
  {
    name: 'BroadsidePostgresAway',
    severity: 'critical',
    expr: away('postgres'),
    for: '1m',
    summary: 'Postgres does not answer: nothing is accepted or sent.',
  },
  {
    name: 'BroadsideLogAway',
    severity: 'critical',
    expr: away('log'),
    for: '2m',
    summary: 'Kafka, or the log on Postgres, does not answer: deliveries wait in the outbox.',
  },
  {
    name: 'BroadsideClickHouseAway',
    severity: 'warning',
    expr: away('clickhouse'),
    for: '5m',
    summary: 'ClickHouse does not answer: sending goes on, results wait on the log.',
  },
  ...both.map((severity) => ({
    ...{ name: 'BroadsideDiskFull', severity, for: '5m' },
    expr: `min without (instance) (${seriesOf('diskFree')} / ${seriesOf('diskSize')}) < ${limits.diskFreeShare[severity]}`,
    summary: 'Of the disk {{ $labels.disk }}, {{ $value | humanizePercentage }} is free.',
  })),
  ...both.map((severity) => ({
    ...{ name: 'BroadsideCertificateEnds', severity, for: '1h' },
    expr: `${whole('certificateEnd')} - time() < ${limits.certificateDays[severity] * DAY_S}`,
    summary: 'The certificate "{{ $labels.certificate }}" ends in {{ $value | humanizeDuration }}.',
  })),
];

const pushServices: readonly Alert[] = [
  {
    name: 'BroadsidePushServiceAway',
    severity: 'critical',
    expr: `${whole('governorOpen')} > 0`,
    for: '5m',
    summary: '{{ $labels.push_service }} does not answer: the breakers of {{ $value }} apps are open.',
  },
  {
    name: 'BroadsidePushServiceThrottles',
    severity: 'warning',
    expr: ofMany(
      `${shareOf('attempts', '10m', { outcome: 'throttled' }, 'outcome')} > ${limits.throttledShare.warning}`,
      'attempts',
      {},
      'outcome',
    ),
    for: '10m',
    summary: '{{ $labels.push_service }} throttles {{ $value | humanizePercentage }} of all attempts.',
  },
  {
    name: 'BroadsideSenderRejected',
    severity: 'critical',
    expr: ofMany(
      `${shareOf('attempts', '10m', { outcome: 'rejected' }, 'outcome')} > ${limits.rejectedShare.critical}`,
      'attempts',
      {},
      'outcome',
    ),
    for: '5m',
    summary: '{{ $labels.push_service }} rejects {{ $value | humanizePercentage }} of all attempts.',
  },
  {
    name: 'BroadsideAmbiguous',
    severity: 'warning',
    expr: ofMany(`${unknownShare('10m')} > ${limits.unknownShare.warning}`, 'attempts', {}, 'outcome'),
    for: '10m',
    summary:
      '{{ $labels.push_service }} never answered {{ $value | humanizePercentage }} of all attempts: some readers may get a notification twice.',
  },
  ...burns.map(({ severity, times, long, short, for: lasting }) => ({
    ...{ name: 'BroadsideErrorBudget', severity, for: lasting },
    expr: `${failedShare(long)} > ${times} * ${limits.errorBudget}\nand ${failedShare(short)} > ${times} * ${limits.errorBudget}\nand ${rateOf('attempts', long, { without: 'outcome, push_service' })} * 3600 > ${FEW_ATTEMPTS}`,
    summary: `{{ $value | humanizePercentage }} of what was sent in ${long} failed: ${times} times what may fail in the long run.`,
  })),
];

const listeners: readonly Alert[] = [
  ...both.map((severity) => ({
    ...{ name: 'BroadsideApiFails', severity, for: '5m' },
    expr: `${shareOf('apiRequests', '5m', { status: '5xx' }, 'status')} > ${limits.apiFailedShare[severity]}`,
    summary:
      'The API answers {{ $value | humanizePercentage }} of the requests to {{ $labels.surface }} with 5xx.',
  })),
  {
    name: 'BroadsideReportsFail',
    severity: 'warning',
    expr: `${shareOf('reportRequests', '15m', { status: ['500', '503'] }, 'status')} > ${limits.reportsFailedShare.warning}`,
    for: '10m',
    summary: '{{ $value | humanizePercentage }} of the reports fail.',
  },
];

/** What an operator must know. Each has its lines under "Alerts of Prometheus" in engine/OPERATIONS.md. */
export const alerts: readonly Alert[] = [...engines, ...waiting, ...servers, ...pushServices, ...listeners];
