import { readSettings, withDotEnv } from '../engine/adapters/settings/read-settings.ts';
import {
  type Environment,
  flag,
  list,
  optionalText,
  optionalWhole,
  text,
  type Values,
  whole,
} from '../engine/contract/settings/settings.ts';
import {
  clickhouseContradictions,
  clickhouseSettings,
  databaseSettings,
  internalSettings,
  logContradictions,
  logSettings,
  logTextSettings,
  mailContradictions,
  mailSettings,
  sharedSettings,
  tracingContradictions,
  tracingSettings,
} from '../engine/contract/settings/shared-settings.ts';
import { placeSettings, withUrl } from '../engine/kit/command-line/settings.ts';
import { wrongRanges } from '../engine/kit/http/trusted-proxies.ts';

const port = { minimum: 0, maximum: 65_535 } as const;

/** The reporting role's settings. */
export const reportingSettings = {
  ...databaseSettings,
  ...logSettings,
  ...clickhouseSettings,
  ...tracingSettings,
  ...internalSettings,
  reportingHost: text('REPORTING_HOST', 'Address that the reporting API listens on.', {
    default: '127.0.0.1',
  }),
  reportingPort: whole('REPORTING_PORT', 'Port that the reporting API listens on; 0 takes any free one.', {
    default: 8_082,
    ...port,
  }),
  reportingInternalHost: text('REPORTING_INTERNAL_HOST', 'Address of reporting’s own metrics listener.', {
    default: '127.0.0.1',
  }),
  reportingInternalPort: whole(
    'REPORTING_INTERNAL_PORT',
    'Port of that listener; 0 takes any free one. Only where reporting runs alone.',
    { default: 8_083, ...port },
  ),
  reportingBaseUrl: optionalText(
    'REPORTING_BASE_URL',
    'How the reporting API is reached from outside; by default as the request named it.',
    {
      pattern: '^https?://[^/\\s]+(/[^?#\\s]*[^/?#\\s])?$',
      shape: 'a URL without a slash at its end, such as https://reports.example.com',
    },
  ),
  reportingDatabaseConnections: whole(
    'REPORTING_DATABASE_CONNECTIONS',
    'Most connections to Postgres that reporting opens.',
    { default: 5, minimum: 2, maximum: 1_000 },
  ),
  trustedProxies: list(
    'TRUSTED_PROXIES',
    'Addresses or ranges (CIDR) of proxies before the API, whose X-Forwarded-For is believed, separated by commas.',
    [],
  ),
  reportRatePerMinute: whole(
    'REPORT_RATE_PER_MINUTE',
    'Reports of one user in 60 seconds, over all their tokens and all reporting processes.',
    { default: 5, minimum: 1, maximum: 10_000 },
  ),
  reportPageRatePerMinute: whole(
    'REPORT_PAGE_RATE_PER_MINUTE',
    'Reports that one user asks on the dashboard in 60 seconds; they do not count as reports of the token’s user.',
    { default: 30, minimum: 1, maximum: 10_000 },
  ),
  reportsAtOnce: whole(
    'REPORTS_AT_ONCE',
    'Reports that one process makes at a time; further ones wait for their permit.',
    {
      default: 4,
      minimum: 1,
      maximum: 8,
    },
  ),
  reportsPerUser: whole('REPORTS_PER_USER', 'Of these, reports of one user; further ones of theirs wait.', {
    default: 2,
    minimum: 1,
    maximum: 8,
  }),
  reportWaitSeconds: whole(
    'REPORT_WAIT_SECONDS',
    'Most time that a report waits for its permit, in seconds; then it is refused (429 or 503) and not counted.',
    { default: 60, minimum: 1, maximum: 60 },
  ),
  reportSeconds: whole(
    'REPORT_SECONDS',
    'Most time that ClickHouse takes for a report, all its queries together and the reading of its rows, in seconds.',
    {
      default: 25,
      minimum: 1,
      maximum: 25,
    },
  ),
  reportMemoryMb: whole('REPORT_MEMORY_MB', 'Most memory that ClickHouse uses for a report’s query, in MB.', {
    default: 2_048,
    minimum: 64,
    maximum: 1_048_576,
  }),
  reportRows: whole('REPORT_ROWS', 'Most rows of a report.', {
    default: 500_000,
    minimum: 1,
    // A sheet has 1,048,576, its headings among them.
    maximum: 1_000_000,
  }),
  reportMb: whole(
    'REPORT_MB',
    'Most of a report that is sent at once, in MB; a larger one is made as a job.',
    {
      default: 256,
      minimum: 1,
      maximum: 1_024,
    },
  ),
  reportUnreadMb: whole(
    'REPORT_UNREAD_MB',
    'Most memory of a process for reports until their clients have read them, in MB; at least REPORT_MB.',
    { default: 768, minimum: 1, maximum: 1_048_576 },
  ),
  reportJobRatePerMinute: whole(
    'REPORT_JOB_RATE_PER_MINUTE',
    'Report jobs that one user makes in 60 seconds.',
    {
      default: 5,
      minimum: 1,
      maximum: 10_000,
    },
  ),
  reportJobsAtOnce: whole(
    'REPORT_JOBS_AT_ONCE',
    'Report jobs that one process runs at a time; 0: it leaves them to others.',
    { default: 1, minimum: 0, maximum: 8 },
  ),
  reportJobSeconds: whole('REPORT_JOB_SECONDS', 'Most time that a report job takes, in seconds.', {
    default: 600,
    minimum: 1,
    maximum: 3_600,
  }),
  reportJobRows: whole('REPORT_JOB_ROWS', 'Most rows of a report job.', {
    default: 10_000_000,
    minimum: 1,
    maximum: 100_000_000,
  }),
  reportJobMb: whole('REPORT_JOB_MB', 'Most disk of one report job’s result, in MB.', {
    default: 2_048,
    minimum: 1,
    // A bucket takes no larger object in one request.
    maximum: 4_096,
  }),
  reportJobsMb: whole(
    'REPORT_JOBS_MB',
    'Most disk of all report jobs’ results, in MB; one user has at most a quarter of it, one organization three quarters.',
    { default: 20_480, minimum: 1, maximum: 104_857_600 },
  ),
  reportJobsFolder: optionalText(
    'REPORT_JOBS_FOLDER',
    'Folder for the results of report jobs, the same one for all reporting processes; npm start has one in its data folder. With a bucket: for results that are being made.',
  ),
  reportJobsBucketUrl: optionalText(
    'REPORT_JOBS_BUCKET_URL',
    'S3-compatible bucket for the results of report jobs, with its name in the path; needs the key and its secret.',
    {
      pattern: '^https?://[^/\\s?#]+/[^?#\\s]*[^/?#\\s]$',
      shape: 'a URL with the bucket in its path, such as https://s3.eu-central-1.amazonaws.com/reports',
    },
  ),
  reportJobsBucketRegion: text('REPORT_JOBS_BUCKET_REGION', 'Region of that bucket.', {
    default: 'us-east-1',
  }),
  reportJobsBucketKeyId: optionalText('REPORT_JOBS_BUCKET_KEY_ID', 'Access key of that bucket.'),
  reportJobsBucketSecret: optionalText(
    'REPORT_JOBS_BUCKET_SECRET',
    'Secret of that key, or its file in REPORT_JOBS_BUCKET_SECRET_FILE.',
    { secret: true },
  ),
  reportEmailMb: whole(
    'REPORT_EMAIL_MB',
    'Largest result of a schedule that an e-mail has as a file, in MB; larger ones come as links.',
    {
      default: 5,
      minimum: 0,
      maximum: 25,
    },
  ),
  masterKey: optionalText(
    'MASTER_KEY',
    'As the other roles have it, for schedules: seals the secrets of their receivers, and signs addresses of files.',
    {
      pattern: '^[A-Za-z0-9+/_-]{43}=?$',
      shape: '32 bytes in base64, as "openssl rand -base64 32" prints them',
      secret: true,
    },
  ),
  masterKeysOld: sharedSettings.masterKeysOld,
  ...mailSettings,
  reportWirePort: optionalWhole(
    'REPORT_WIRE_PORT',
    'Port on which reports are read as a table of Postgres, by psql, JDBC, Grafana and others; 0 takes any free one, left out there is none.',
    port,
  ),
  reportWireHost: text('REPORT_WIRE_HOST', 'Address of that listener.', { default: '127.0.0.1' }),
  reportWireCertificateFile: optionalText(
    'REPORT_WIRE_CERTIFICATE_FILE',
    'Its certificate with the chain, as PEM; read again when the file changes. Needs the key.',
  ),
  reportWireKeyFile: optionalText('REPORT_WIRE_KEY_FILE', 'Private key of that certificate, as PEM.'),
  reportWireAllowClearText: flag(
    'REPORT_WIRE_ALLOW_CLEAR_TEXT',
    'Lets clients of other machines log in there unencrypted: only where the network or a proxy encrypts.',
  ),
  reportWireConnections: whole(
    'REPORT_WIRE_CONNECTIONS',
    'Most connections of that listener; one organization has half of them at most.',
    {
      default: 100,
      minimum: 1,
      maximum: 1_000,
    },
  ),
  reportWireTokenConnections: whole(
    'REPORT_WIRE_TOKEN_CONNECTIONS',
    'Of these, connections with one reporting token.',
    { default: 10, minimum: 1, maximum: 1_000 },
  ),
  reportWireRatePerMinute: whole(
    'REPORT_WIRE_RATE_PER_MINUTE',
    'Log-ins and reports of one user through that listener in 60 seconds.',
    { default: 120, minimum: 1, maximum: 10_000 },
  ),
  ...logTextSettings,
} as const;

const { reportWirePort, reportWireHost, reportWireCertificateFile, reportWireAllowClearText } =
  reportingSettings;
/** Who can read reports through SQL, and from where. */
export const wireFacts = {
  ...{ reportWirePort, reportWireHost, reportWireCertificateFile, reportWireAllowClearText },
};

export type ReportingConfig = Values<typeof reportingSettings>;

/** A bucket needs its key and secret, and these a bucket. */
function bucketContradictions(values: Partial<ReportingConfig>): string[] {
  const { reportJobsBucketUrl: url, reportJobsBucketKeyId: keyId, reportJobsBucketSecret: secret } = values;
  const given = [url, keyId, secret].filter((each) => each !== null && each !== undefined);
  return given.length === 0 || given.length === 3
    ? []
    : [
        'REPORT_JOBS_BUCKET_URL, REPORT_JOBS_BUCKET_KEY_ID and REPORT_JOBS_BUCKET_SECRET go together: set all or none',
      ];
}

function wireContradictions(values: Partial<ReportingConfig>): string[] {
  const { reportWireCertificateFile: certificate, reportWireKeyFile: key } = values;
  return ((certificate ?? null) === null) === ((key ?? null) === null)
    ? []
    : ['REPORT_WIRE_CERTIFICATE_FILE and REPORT_WIRE_KEY_FILE go together: set both or neither'];
}

function contradictions(values: Partial<ReportingConfig>): string[] {
  const { trustedProxies = [] } = values;
  const lines = wrongRanges(trustedProxies).map(
    (range) => `TRUSTED_PROXIES holds ${range}, which is neither an address nor a range such as 10.0.0.0/8`,
  );
  return [
    ...clickhouseContradictions(values),
    ...logContradictions(values),
    ...tracingContradictions(values),
    ...((values.reportUnreadMb ?? Infinity) < (values.reportMb ?? 0)
      ? ['REPORT_UNREAD_MB is less than REPORT_MB: no report of that size could be sent']
      : []),
    ...bucketContradictions(values),
    ...mailContradictions(values),
    ...wireContradictions(values),
    ...lines,
  ];
}

/** @throws SettingsError with a line for everything that is wrong. */
export function readReportingConfig(environment: Environment = withDotEnv(process.env)): ReportingConfig {
  return readSettings(reportingSettings, environment, contradictions);
}

const statisticsSettings = { ...placeSettings, ...clickhouseSettings } as const;

/** Settings of `broadside ad-stats` and `broadside fx`. */
export type StatisticsConfig = Values<typeof statisticsSettings>;
export function readStatisticsConfig(
  url?: string,
  environment: Environment = withDotEnv(process.env),
): StatisticsConfig {
  return readSettings(statisticsSettings, withUrl(environment, url));
}
