import { availableParallelism } from 'node:os';
import { type Contradictions, readSettings, withDotEnv } from './adapters/settings/read-settings.ts';
import {
  choice,
  type Environment,
  list,
  optionalText,
  text,
  type Values,
  whole,
} from './contract/settings/settings.ts';
import {
  clickhouseContradictions,
  clickhouseSettings,
  dataFolder,
  internalSettings,
  logContradictions,
  logSettings,
  mailContradictions,
  mailSettings,
  sharedSettings,
  tracingContradictions,
  tracingSettings,
  vapidContradictions,
  vapidSettings,
} from './contract/settings/shared-settings.ts';

/** One host each: a list of hosts looks for the one that takes writes. */
const POSTGRES_URL = /^postgres(ql)?:\/\/[^\s,]+$/;
const DAY_MS = 86_400_000;
const MINUTE_MS = 60_000;

/** The engine's settings. Flags and words, defaults and bounds: this table is all there is. */
export const engineSettings = {
  ...sharedSettings,
  ...logSettings,
  ...clickhouseSettings,
  ...tracingSettings,
  ...vapidSettings,
  ...mailSettings,
  databaseConnections: whole('DATABASE_CONNECTIONS', 'Most connections to Postgres that the engine opens.', {
    default: 10,
    minimum: 4,
    maximum: 1_000,
  }),
  databaseReadUrls: list(
    'DATABASE_READ_URLS',
    'Streaming replicas of DATABASE_URL that targets are read from, separated by commas; one that is behind or away is left out.',
    [],
    { secret: true },
  ),
  workerThreads: whole('WORKER_THREADS', 'Threads that encrypt and send; by default one a core.', {
    default: Math.max(1, availableParallelism()),
    minimum: 1,
    maximum: 512,
  }),
  tasksPerThread: whole('TASKS_PER_THREAD', 'Blocks that a thread sends at the same time.', {
    default: 2,
    minimum: 1,
    maximum: 16,
  }),
  encryptionBackend: choice(
    'ENCRYPTION_BACKEND',
    'Encryption backend; auto takes the fastest one that this machine has and that passes its self-test.',
    ['node', 'openssl', 'multibuffer', 'auto'],
    'auto',
  ),
  dataFolder,
  cryptoMbLibrary: optionalText(
    'CRYPTO_MB_LIBRARY',
    'Path of Intel’s libcrypto_mb for the backend multibuffer; without it the one in DATA_FOLDER, then the usual places.',
    { pattern: '^/', shape: 'an absolute path, such as /opt/intel/oneapi/ippcp/latest/lib/libcrypto_mb.so' },
  ),
  pushTransport: choice(
    'PUSH_TRANSPORT',
    'HTTP client for push services: own is Broadside’s HTTP/2, undici the fallback.',
    ['own', 'undici'],
    'own',
  ),
  connectionsPerOrigin: whole('CONNECTIONS_PER_ORIGIN', 'Sockets to one push service, per thread.', {
    default: 2,
    minimum: 1,
    maximum: 64,
  }),
  streamsPerConnection: whole(
    'STREAMS_PER_CONNECTION',
    'Concurrent HTTP/2 streams per socket; the peer may allow fewer.',
    {
      default: 100,
      minimum: 1,
      maximum: 10_000,
    },
  ),
  maxInFlight: whole('MAX_IN_FLIGHT', 'Requests in flight per thread, over all push services.', {
    default: 512,
    minimum: 1,
    maximum: 65_536,
  }),
  connectTimeoutMs: whole('CONNECT_TIMEOUT_MS', 'Most time for a connection to a push service, in ms.', {
    default: 5_000,
    minimum: 100,
    maximum: MINUTE_MS,
  }),
  answerTimeoutMs: whole(
    'ANSWER_TIMEOUT_MS',
    'Most time from a request to the push service’s answer, in ms.',
    {
      default: 10_000,
      minimum: 100,
      maximum: 5 * MINUTE_MS,
    },
  ),
  deadSessionAfterTimeouts: whole(
    'DEAD_SESSION_AFTER_TIMEOUTS',
    'Time-outs in a row that close an HTTP/2 session.',
    {
      default: 3,
      minimum: 1,
      maximum: 100,
    },
  ),
  maxOrigins: whole('MAX_ORIGINS', 'Push service origins that a thread keeps sockets for.', {
    default: 64,
    minimum: 1,
    maximum: 4_096,
  }),
  pushServiceCaFile: optionalText(
    'PUSH_SERVICE_CA_FILE',
    'Tests and demo only: PEM file of further trusted authorities.',
  ),
  shardBlocks: whole('SHARD_BLOCKS', 'Full blocks (1,024 subscriptions) in one shard.', {
    default: 8,
    minimum: 1,
    maximum: 256,
  }),
  releaseWindowShards: whole(
    'RELEASE_WINDOW_SHARDS',
    'Shards of a lane that wait on the log at least; more when more are worked on.',
    {
      default: 4,
      minimum: 1,
      maximum: 10_000,
    },
  ),
  blocksInFlight: whole('BLOCKS_IN_FLIGHT', 'Blocks that one engine works on at a time.', {
    default: 4,
    minimum: 1,
    maximum: 1_024,
  }),
  leaseMs: whole('LEASE_MS', 'How long a shard stays with an engine that shows no sign of life, in ms.', {
    default: 15_000,
    minimum: 1_000,
    maximum: 10 * MINUTE_MS,
  }),
  schedulerIntervalMs: whole(
    'SCHEDULER_INTERVAL_MS',
    'Interval of checks for scheduled work, in ms; twice as long, 1 s at most, while nothing happens.',
    {
      default: 500,
      minimum: 10,
      // Scheduled work starts within 2 s of its time, whatever is set here.
      maximum: 1_000,
    },
  ),
  maxAttempts: whole('MAX_ATTEMPTS', 'Attempts at a subscription within one delivery.', {
    default: 8,
    minimum: 1,
    maximum: 100,
  }),
  retryBaseMs: whole(
    'RETRY_BASE_MS',
    'Upper bound of the first wait before another attempt, doubled each time, in ms.',
    {
      default: 1_000,
      minimum: 1,
      maximum: 10 * MINUTE_MS,
    },
  ),
  retryMaxMs: whole('RETRY_MAX_MS', 'Upper bound of every wait before another attempt, in ms.', {
    default: 5 * MINUTE_MS,
    minimum: 1,
    maximum: DAY_MS,
  }),
  drainDeadlineMs: whole('DRAIN_DEADLINE_MS', 'Deadline to finish work in flight after SIGTERM, in ms.', {
    default: 20_000,
    minimum: 0,
    maximum: 10 * MINUTE_MS,
  }),
  rawRowsDays: whole(
    'RAW_ROWS_DAYS',
    'Days that ClickHouse keeps single attempts and events, and up to a month more; totals stay permanently.',
    { default: 90, minimum: 31, maximum: 36_500 },
  ),
  internalHost: text('INTERNAL_HOST', 'Address of the engine’s health and metrics listener.', {
    default: '127.0.0.1',
  }),
  internalPort: whole('INTERNAL_PORT', 'Port of that listener; 0 takes any free one.', {
    default: 8_081,
    minimum: 0,
    maximum: 65_535,
  }),
  ...internalSettings,
  internalSecret: optionalText(
    'INTERNAL_SECRET',
    'Secret that a POST to that listener sends as "Authorization: Bearer …", for example the output of openssl rand -base64 32. An engine that runs alone, or listens beyond loopback, refuses every POST without it.',
    { pattern: '^\\S{16,}$', shape: '16 or more characters without a blank', secret: true },
  ),
} as const;

export type EngineConfig = Values<typeof engineSettings>;

/** @throws SettingsError with a line for everything that is wrong. */
export function readEngineConfig(environment: Environment = withDotEnv(process.env)): EngineConfig {
  return readSettings(engineSettings, environment, engineContradictions);
}

export const engineContradictions: Contradictions<typeof engineSettings> = (values) => {
  const { retryBaseMs = 0, retryMaxMs, answerTimeoutMs = 0, leaseMs } = values;
  const lines = [
    ...clickhouseContradictions(values),
    ...logContradictions(values),
    ...tracingContradictions(values),
    ...vapidContradictions(values),
    ...mailContradictions(values),
  ];
  if (!(values.databaseReadUrls ?? []).every((url) => POSTGRES_URL.test(url) && URL.canParse(url))) {
    lines.push(
      'DATABASE_READ_URLS must be URLs such as postgres://user:password@replica:5432/broadside, separated by commas',
    );
  }
  if (retryMaxMs !== undefined && retryMaxMs !== null && retryBaseMs > retryMaxMs) {
    lines.push('RETRY_BASE_MS must be at most RETRY_MAX_MS');
  }
  // A block in flight must be able to end before its lease does.
  if (leaseMs !== undefined && leaseMs !== null && leaseMs <= answerTimeoutMs) {
    lines.push('LEASE_MS must be longer than ANSWER_TIMEOUT_MS');
  }
  return lines;
};
