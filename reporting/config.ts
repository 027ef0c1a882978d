import { readSettings, withDotEnv } from '../engine/adapters/settings/read-settings.ts';
import {
  type Environment,
  list,
  optionalText,
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
  reportSpoolFolder: optionalText(
    'REPORT_SPOOL_FOLDER',
    'Folder for answers that slow clients have not read yet; by default the system’s temporary one.',
  ),
  reportSpoolMb: whole(
    'REPORT_SPOOL_MB',
    'Most disk that answers take there, in MB; 0: none, and each slow client holds up its query.',
    { default: 1_024, minimum: 0, maximum: 1_048_576 },
  ),
  reportSpoolMbPerReport: whole('REPORT_SPOOL_MB_PER_REPORT', 'Of that, most of one report, in MB.', {
    default: 256,
    minimum: 0,
    maximum: 1_048_576,
  }),
  reportSlowestKbPerSecond: whole(
    'REPORT_SLOWEST_KB_PER_SECOND',
    'Where that disk is full, the slowest client is disconnected if it reads less than this, in KB a second.',
    { default: 64, minimum: 0, maximum: 1_048_576 },
  ),
  ...logTextSettings,
} as const;

export type ReportingConfig = Values<typeof reportingSettings>;

function contradictions(values: Partial<ReportingConfig>): string[] {
  const { trustedProxies = [] } = values;
  const lines = wrongRanges(trustedProxies).map(
    (range) => `TRUSTED_PROXIES holds ${range}, which is neither an address nor a range such as 10.0.0.0/8`,
  );
  return [
    ...clickhouseContradictions(values),
    ...logContradictions(values),
    ...tracingContradictions(values),
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
