import { limits } from './limits.ts';
import type { Panel } from './panels.ts';
import type { MetricKey } from './promql.ts';
import { seriesOf } from './promql.ts';
import type { RowName } from './rows.ts';
import { failedShare, rateOf, shareOf, unknownShare, whole } from './shares.ts';

/** A panel of several metrics, or of one in another form than its own. */
export interface DrawnPanel extends Panel {
  readonly row: RowName;
  /** Metrics that it shows whole: they get no panel of their own. */
  readonly instead?: readonly MetricKey[];
}

const WINDOW = '$__rate_interval';
const DAY_S = 86_400;
const share = { kind: 'lines', unit: 'percentunit' } as const;
const accepted = rateOf('attempts', WINDOW, {
  matchers: { outcome: 'accepted' },
  without: 'outcome, push_service',
});

export const drawnPanels: readonly DrawnPanel[] = [
  {
    row: 'throughput',
    title: 'Accepted a second',
    description: 'Notifications that push services accepted, over all engines.',
    ...{ kind: 'figure', unit: 'short' },
    queries: [{ expr: accepted, legend: 'accepted' }],
  },
  {
    row: 'throughput',
    title: 'Engines by state',
    description: 'How many engines run, and how many an operator has paused or drained.',
    ...{ kind: 'figure', unit: 'short' },
    queries: [{ expr: `sum by (state) (${seriesOf('engineState')})`, legend: '{{state}}' }],
    instead: ['engineState'],
  },
  {
    row: 'throughput',
    title: 'Failed, against the error budget',
    description:
      'Attempts that were rejected, unreachable or expired, among all that came to an end. Above the budget for long, something is wrong.',
    ...share,
    queries: [{ expr: failedShare('1h'), legend: 'in an hour' }],
    limits: { warning: limits.errorBudget, critical: 6 * limits.errorBudget },
  },
  {
    row: 'push services',
    title: 'Throttled',
    description: 'Attempts that a push service put off (429, WNS: 406), among all.',
    ...share,
    queries: [
      { expr: shareOf('attempts', '10m', { outcome: 'throttled' }, 'outcome'), legend: '{{push_service}}' },
    ],
    limits: limits.throttledShare,
  },
  {
    row: 'push services',
    title: 'Rejected',
    description: 'Attempts that a push service rejected, among all: a VAPID key or contact is wrong.',
    ...share,
    queries: [
      { expr: shareOf('attempts', '10m', { outcome: 'rejected' }, 'outcome'), legend: '{{push_service}}' },
    ],
    limits: limits.rejectedShare,
  },
  {
    row: 'push services',
    title: 'Never answered',
    description: 'Attempts whose message was sent and never answered, among all: some may arrive twice.',
    ...share,
    queries: [{ expr: unknownShare('10m'), legend: '{{push_service}}' }],
    limits: limits.unknownShare,
  },
  {
    row: 'encryption',
    title: 'CPU time for each attempt',
    description: 'CPU time of an engine’s process divided by its attempts: encryption is the most of it.',
    ...{ kind: 'lines', unit: 's' },
    queries: [
      {
        expr: `rate(${seriesOf('cpuSeconds')}[5m])\n/ on (job, instance) (sum by (job, instance) (rate(${seriesOf('attempts')}[5m])) > 1)`,
        legend: '{{instance}}',
      },
    ],
  },
  {
    row: 'processes',
    title: 'CPU',
    description: 'Cores that each process keeps busy.',
    ...{ kind: 'lines', unit: 'short', axis: 'cores' },
    queries: [{ expr: `rate(${seriesOf('cpuSeconds')}[${WINDOW}])`, legend: '{{instance}}' }],
    instead: ['cpuSeconds'],
  },
  {
    row: 'servers',
    title: 'Servers that answer',
    description: 'The worst view of any process: 1 where the server answers, 0 where it is unavailable.',
    ...{ kind: 'figure', unit: 'short' },
    queries: [{ expr: `min by (dependency) (${seriesOf('dependencyUp')})`, legend: '{{dependency}}' }],
    limits: { warning: 1, critical: 0.5 },
    instead: ['dependencyUp'],
  },
  {
    row: 'servers',
    title: 'Free on disks',
    description: 'Of the data folder, of ClickHouse’s fullest disk, and of the folder for unread reports.',
    ...share,
    queries: [
      { expr: `min by (disk) (${seriesOf('diskFree')} / ${seriesOf('diskSize')})`, legend: '{{disk}}' },
    ],
    limits: limits.diskFreeShare,
    instead: ['diskSize'],
  },
  {
    row: 'servers',
    title: 'Until certificates end',
    description: 'Of the address that browsers use, and of the client certificate for Kafka.',
    ...{ kind: 'figure', unit: 's' },
    queries: [{ expr: `${whole('certificateEnd')} - time()`, legend: '{{certificate}}' }],
    limits: {
      warning: limits.certificateDays.warning * DAY_S,
      critical: limits.certificateDays.critical * DAY_S,
    },
    instead: ['certificateEnd'],
  },
  {
    row: 'api',
    title: 'Answered with 5xx',
    description: 'Requests to the API that ended in a failure of ours, among all.',
    ...share,
    queries: [{ expr: shareOf('apiRequests', '5m', { status: '5xx' }, 'status'), legend: '{{surface}}' }],
    limits: limits.apiFailedShare,
  },
  {
    row: 'reports',
    title: 'Reports that fail',
    description: 'Requests for a report that were answered with 500 or 503, among all.',
    ...share,
    queries: [
      { expr: shareOf('reportRequests', '15m', { status: ['500', '503'] }, 'status'), legend: 'failed' },
    ],
    limits: limits.reportsFailedShare,
  },
];
