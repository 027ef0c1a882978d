import type { MetricEntry } from './metric-entry.ts';

/** The servers that a role needs; the log is Kafka, or Postgres again. */
export const dependencies = ['postgres', 'clickhouse', 'log'] as const;
export type Dependency = (typeof dependencies)[number];

/** The disks whose end a role can see. That of a Postgres server is not among them. */
export const disks = ['data-folder', 'clickhouse', 'reports'] as const;
export type Disk = (typeof disks)[number];

/** `public`: what PUBLIC_BASE_URL shows to browsers; `kafka`: the client certificate of the settings. */
export const certificates = ['public', 'kafka'] as const;
export type Certificate = (typeof certificates)[number];

/** Connections of a process to Postgres in use and not, and who waits for one. */
export const connectionStates = ['busy', 'idle', 'waiting'] as const;

/** Who calls the API: publishers, browsers, people in the dashboard; `other`: pages, scripts, images, health. */
export const surfaces = ['client', 'public', 'account', 'other'] as const;
export type Surface = (typeof surfaces)[number];

/** Statuses of answers, except for 429, which is a limit at work and no mistake. */
export const statusClasses = ['2xx', '3xx', '4xx', '429', '5xx'] as const;
export type StatusClass = (typeof statusClasses)[number];

/** Of every role, and of the API. */
export const serviceEntries = {
  dependencyUp: {
    name: 'broadside_dependency_up',
    kind: 'gauge',
    across: 'least',
    unit: 'servers',
    meaning: '1 where a server that this process needs answers within a second, 0 where it is unavailable.',
    labels: { dependency: dependencies },
  },
  postgresConnections: {
    name: 'broadside_postgres_connections',
    kind: 'gauge',
    across: 'sum',
    unit: 'connections',
    meaning: 'Connections to Postgres, busy or idle; waiting: statements that none is free for.',
    labels: { state: connectionStates },
  },
  diskFree: {
    name: 'broadside_disk_free_bytes',
    kind: 'gauge',
    across: 'least',
    unit: 'bytes',
    meaning:
      'Free on a disk that this process writes to, or ClickHouse; absent where it has none of its own.',
    labels: { disk: disks },
  },
  diskSize: {
    name: 'broadside_disk_size_bytes',
    kind: 'gauge',
    across: 'least',
    unit: 'bytes',
    meaning: 'Size of that disk.',
    labels: { disk: disks },
  },
  certificateEnd: {
    name: 'broadside_certificate_end_seconds',
    kind: 'gauge',
    across: 'least',
    unit: 'seconds',
    meaning:
      'When a certificate ends, in seconds since 1970; absent where there is none, or it is not known yet.',
    labels: { certificate: certificates },
  },
  apiRequests: {
    name: 'broadside_api_requests_total',
    kind: 'counter',
    unit: 'requests',
    meaning: 'Requests to the API by who calls it and the status of the answer.',
    labels: { surface: surfaces, status: statusClasses },
  },
  apiSeconds: {
    name: 'broadside_api_seconds',
    kind: 'histogram',
    unit: 'seconds',
    meaning: 'From a request’s arrival to the end of its answer, of those that are not a stream.',
    labels: { surface: surfaces },
    bounds: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
  },
} as const satisfies Readonly<Record<string, MetricEntry>>;
