import { knownPushHosts } from '../push-service.ts';
import { isVapidSubject } from '../vapid-subject.ts';
import { kafkaContradictions, kafkaSettings } from './kafka-settings.ts';
import { parseOtlpHeaders } from './otlp-headers.ts';
import { certificatePem, privateKeyPem } from './pem.ts';
import { databaseTlsSettings } from './postgres-url.ts';
import { choice, flag, list, optionalText, share, text, type Values } from './settings.ts';

/** Settings that more than one role reads, defined once. */
export const logLevels = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const;
const logFormats = ['auto', 'pretty', 'json', 'text'] as const;

/** What every role's log obeys. */
export const logTextSettings = {
  logLevel: choice('LOG_LEVEL', 'How much is logged.', logLevels, 'info'),
  logFormat: choice(
    'LOG_FORMAT',
    'Lines for people (pretty; requests at LOG_LEVEL=debug only) or for machines (json); auto is pretty on a terminal and json elsewhere. text is an older name of pretty.',
    logFormats,
    'auto',
  ),
} as const;

export const databaseSettings = {
  databaseUrl: text(
    'DATABASE_URL',
    'The Postgres (15 or newer) that holds apps, subscriptions and deliveries.',
    {
      pattern: '^postgres(ql)?://.+',
      shape: 'a URL such as postgres://user:password@host:5432/broadside',
      secret: true,
    },
  ),
  ...databaseTlsSettings,
} as const;

/** Where embedded databases are, and an engine's encryption library. */
export const dataFolder = text('DATA_FOLDER', 'Folder of the embedded databases, keys and libraries.', {
  default: 'data',
});

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
    'Further keys that open secrets, separated by commas: former master keys, and the next one.',
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
  ...logTextSettings,
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
    'How push services reach the operator, for the messages of every app. Without it each app’s own site is used, as its publisher typed it; then nothing is sent for an app whose site is not on https.',
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
  serviceName: text('OTEL_SERVICE_NAME', 'Service name of this installation in traces.', {
    default: 'broadside',
  }),
  traceRatio: share(
    'OTEL_TRACES_SAMPLER_ARG',
    'Share of the traces that is kept, 0 to 1; a caller’s traceparent overrides it.',
    { default: 1 },
  ),
} as const;

export function tracingContradictions({
  otlpHeaders = [],
}: Partial<Values<typeof tracingSettings>>): string[] {
  if (parseOtlpHeaders(otlpHeaders) !== null) return [];
  return ['OTEL_EXPORTER_OTLP_HEADERS holds something that is not name=value, or not percent-encoded'];
}

/** Alerts and e-mails: the engine sends them, the API writes none where these are missing. */
export const mailSettings = {
  smtpUrl: optionalText(
    'SMTP_URL',
    'The mail server for alerts and, with PUBLIC_BASE_URL, e-mails about accounts; without it links are shown instead.',
    {
      pattern: '^smtps?://.+',
      shape: 'a URL such as smtps://user:password@mail.example.com:465',
      secret: true,
    },
  ),
  mailFrom: optionalText('MAIL_FROM', 'The sender of these mails; with SMTP_URL.', {
    pattern: '^([^\\r\\n<>@]+<[^\\s<>@]+@[^\\s<>@]+>|[^\\s<>@]+@[^\\s<>@]+)$',
    shape: 'an address such as Broadside <alerts@example.com>',
  }),
} as const;

export function mailContradictions({ smtpUrl, mailFrom }: Partial<Values<typeof mailSettings>>): string[] {
  if (smtpUrl && mailFrom === null) return ['MAIL_FROM is missing, and SMTP_URL is set'];
  if (mailFrom && smtpUrl === null) return ['SMTP_URL is missing, and MAIL_FROM is set'];
  return [];
}

/** Settings of the log, for the roles that publish or consume. */
export const logSettings = {
  logBackend: choice('LOG_BACKEND', 'Log between the stages.', ['pgboss', 'kafka'], 'pgboss'),
  ...kafkaSettings,
} as const;

export const logContradictions = (values: Partial<Values<typeof logSettings>>): string[] =>
  values.logBackend === 'kafka' ? kafkaContradictions(values) : [];

export const clickhouseSettings = {
  clickhouseUrl: optionalText(
    'CLICKHOUSE_URL',
    'The ClickHouse server over HTTP, or several replicas of one, separated by commas; without it the embedded one.',
    {
      pattern: '^https?://[^\\s,]+(, *https?://[^\\s,]+)*$',
      shape: 'a URL such as http://host:8123, or several separated by commas',
    },
  ),
  clickhouseUser: text('CLICKHOUSE_USER', 'User of the ClickHouse server.', { default: 'default' }),
  clickhousePassword: optionalText('CLICKHOUSE_PASSWORD', 'Password of that user.', { secret: true }),
  clickhouseDatabase: text('CLICKHOUSE_DATABASE', 'Database on the ClickHouse server.', {
    default: 'broadside',
    pattern: '^[a-zA-Z_][a-zA-Z0-9_]{0,62}$',
    shape: 'letters, digits and underscores',
  }),
  clickhouseCluster: optionalText(
    'CLICKHOUSE_CLUSTER',
    'Name of the cluster of replicas that the tables are made on; not for ClickHouse Cloud, which does that by itself.',
    { pattern: '^[a-zA-Z_][a-zA-Z0-9_.-]{0,62}$', shape: 'the name of a cluster' },
  ),
  clickhouseSslCa: optionalText(
    'CLICKHOUSE_SSL_CA',
    'PEM of the authorities that sign the server’s certificate; without it the public ones that Node knows.',
    certificatePem,
  ),
  clickhouseSslCertificate: optionalText(
    'CLICKHOUSE_SSL_CERTIFICATE',
    'PEM of a client certificate with its chain; with CLICKHOUSE_SSL_KEY. Without a password it logs the user in.',
    certificatePem,
  ),
  clickhouseSslKey: optionalText(
    'CLICKHOUSE_SSL_KEY',
    'PEM of the private key of that certificate.',
    privateKeyPem('CLICKHOUSE_SSL_KEY'),
  ),
} as const;

export function clickhouseContradictions(values: Partial<Values<typeof clickhouseSettings>>): string[] {
  const {
    clickhouseUrl: url,
    clickhouseSslCa: ca,
    clickhouseSslCertificate: cert,
    clickhouseSslKey: key,
  } = values;
  const lines: string[] = [];
  if (cert && !key) lines.push('CLICKHOUSE_SSL_KEY is missing, and CLICKHOUSE_SSL_CERTIFICATE is set');
  if (key && !cert) lines.push('CLICKHOUSE_SSL_CERTIFICATE is missing, and CLICKHOUSE_SSL_KEY is set');
  if ((ca || cert) && url && /(^|,) *http:/.test(url))
    lines.push('CLICKHOUSE_SSL_CA or CLICKHOUSE_SSL_CERTIFICATE is set, and CLICKHOUSE_URL is not https');
  if (values.clickhouseCluster && url === null)
    lines.push('CLICKHOUSE_CLUSTER is set, and CLICKHOUSE_URL is not');
  return lines;
}
