import { parseOtlpHeaders } from './otlp-headers.ts';
import { knownPushHosts } from './push-service.ts';
import { choice, flag, list, optionalText, share, text, type Values } from './settings.ts';
import { isVapidSubject } from './vapid-subject.ts';

/** Settings that more than one role reads, defined once. */
export const logLevels = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const;

export const databaseSettings = {
  databaseUrl: text('DATABASE_URL', 'The Postgres (15 or newer) that holds what must be right.', {
    pattern: '^postgres(ql)?://.+',
    shape: 'a URL such as postgres://user:password@host:5432/broadside',
    secret: true,
  }),
} as const;

export const sharedSettings = {
  ...databaseSettings,
  masterKey: text(
    'MASTER_KEY',
    'Seals the private keys of apps; 32 random bytes in base64: openssl rand -base64 32.',
    {
      pattern: '^[A-Za-z0-9+/_-]{43}=?$',
      shape: '32 bytes in base64, as "openssl rand -base64 32" prints them',
      secret: true,
    },
  ),
  masterKeysOld: list(
    'MASTER_KEYS_OLD',
    'Keys that may still open what they sealed, separated by commas: those before MASTER_KEY, and the next one to come.',
    [],
    { secret: true },
  ),
  pushServiceHosts: list(
    'PUSH_SERVICE_HOSTS',
    'Hosts of push services that endpoints may name, subdomains included, separated by commas.',
    knownPushHosts,
  ),
  allowAnyPushHost: flag(
    'ALLOW_ANY_PUSH_HOST',
    'Tests and demo only: accept endpoints on any host, loopback included.',
  ),
  logLevel: choice('LOG_LEVEL', 'How much is logged.', logLevels, 'info'),
} as const;

/** Of the listeners that only operators and their monitors ask. */
export const internalSettings = {
  internalHostNames: list(
    'INTERNAL_HOST_NAMES',
    'Names with a dot in them by which the internal listeners may be asked, separated by commas; addresses, localhost and names without a dot always may.',
    [],
  ),
} as const;

export const vapidSettings = {
  vapidSubject: optionalText(
    'VAPID_SUBJECT',
    'How push services reach the operator, for the messages of every app. Without it they are given each app’s own site, which is whatever its publisher typed; nothing is sent then for an app whose site is not on https.',
  ),
} as const;

export function vapidContradictions({ vapidSubject }: Partial<Values<typeof vapidSettings>>): string[] {
  if (!vapidSubject || isVapidSubject(vapidSubject)) return [];
  return [
    'VAPID_SUBJECT must be a mailto: or https: URL on a public domain, such as mailto:push@example.com',
  ];
}

/** Traces, by the names that OpenTelemetry gives to such settings. */
export const tracingSettings = {
  otlpEndpoint: optionalText(
    'OTEL_EXPORTER_OTLP_ENDPOINT',
    'Where traces go, over OTLP/HTTP, such as http://collector:4318; without it nothing is traced.',
    { pattern: '^https?://.+', shape: 'a URL such as http://collector:4318', secret: true },
  ),
  otlpHeaders: list(
    'OTEL_EXPORTER_OTLP_HEADERS',
    'Headers that go with them, as name=value with the value percent-encoded, separated by commas.',
    [],
    { secret: true },
  ),
  serviceName: text('OTEL_SERVICE_NAME', 'What traces call this installation.', { default: 'broadside' }),
  traceRatio: share(
    'OTEL_TRACES_SAMPLER_ARG',
    'Share of the traces that is kept, 0 to 1; a caller who sends a traceparent has decided already.',
    { default: 1 },
  ),
} as const;

export function tracingContradictions({
  otlpHeaders = [],
}: Partial<Values<typeof tracingSettings>>): string[] {
  if (parseOtlpHeaders(otlpHeaders) !== null) return [];
  return ['OTEL_EXPORTER_OTLP_HEADERS holds something that is not name=value, or not percent-encoded'];
}

/** What carries the log, for the roles that publish or consume. */
export const logSettings = {
  logBackend: choice('LOG_BACKEND', 'What carries the log between stages.', ['pgboss', 'kafka'], 'pgboss'),
  kafkaBrokers: list(
    'KAFKA_BROKERS',
    'host:port of Kafka brokers, separated by commas; with LOG_BACKEND=kafka.',
    [],
  ),
  kafkaTopicPrefix: text(
    'KAFKA_TOPIC_PREFIX',
    'Goes before every topic and group name, to share a cluster.',
    {
      default: 'broadside.',
      pattern: '^[a-zA-Z0-9._-]{1,100}$',
      shape: 'letters, digits, dots, dashes and underscores',
    },
  ),
} as const;

export function logContradictions(values: Partial<Values<typeof logSettings>>): string[] {
  const { logBackend, kafkaBrokers = [] } = values;
  if (logBackend !== 'kafka' || kafkaBrokers.length > 0) return [];
  return ['KAFKA_BROKERS is missing, and LOG_BACKEND is kafka'];
}

export const clickhouseSettings = {
  clickhouseUrl: optionalText(
    'CLICKHOUSE_URL',
    'The ClickHouse server over HTTP; without it the embedded one.',
    {
      pattern: '^https?://.+',
      shape: 'a URL such as http://host:8123',
    },
  ),
  clickhouseUser: text('CLICKHOUSE_USER', 'User of the ClickHouse server.', { default: 'default' }),
  clickhousePassword: optionalText('CLICKHOUSE_PASSWORD', 'Password of that user.', { secret: true }),
  clickhouseDatabase: text('CLICKHOUSE_DATABASE', 'Database on the ClickHouse server.', {
    default: 'broadside',
    pattern: '^[a-zA-Z_][a-zA-Z0-9_]{0,62}$',
    shape: 'letters, digits and underscores',
  }),
} as const;
