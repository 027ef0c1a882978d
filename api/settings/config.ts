import { readSettings, withDotEnv } from '../../engine/adapters/settings/read-settings.ts';
import { kafkaContradictions, kafkaSettings } from '../../engine/contract/settings/kafka-settings.ts';
import {
  type Environment,
  flag,
  list,
  optionalText,
  optionalWhole,
  text,
  type Values,
  whole,
} from '../../engine/contract/settings/settings.ts';
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
  vapidContradictions,
  vapidSettings,
} from '../../engine/contract/settings/shared-settings.ts';
import { placeSettings, withUrl } from '../../engine/kit/command-line/settings.ts';
import { wrongRanges } from '../../engine/kit/http/trusted-proxies.ts';
import { isLoopbackHost } from './loopback-host.ts';
import { providerContradictions, providerSettings } from './provider.ts';

const baseUrlLike = (example: string) => ({
  pattern: '^https?://[^/\\s]+(/[^?#\\s]*[^/?#\\s])?$',
  shape: `a URL without a slash at its end, such as ${example}`,
});

/** The API role's settings. */
export const apiSettings = {
  ...sharedSettings,
  ...logSettings,
  ...clickhouseSettings,
  ...tracingSettings,
  ...vapidSettings,
  ...mailSettings,
  ...providerSettings,
  ...internalSettings,
  apiHost: text('API_HOST', 'Address that the API listens on.', { default: '127.0.0.1' }),
  apiPort: whole('API_PORT', 'Port that the API listens on; 0 takes any free one.', {
    default: 8_080,
    minimum: 0,
    maximum: 65_535,
  }),
  apiInternalHost: text('API_INTERNAL_HOST', 'Address of the API’s own metrics listener.', {
    default: '127.0.0.1',
  }),
  apiInternalPort: whole(
    'API_INTERNAL_PORT',
    'Port of that listener; 0 takes any free one. Only where the API runs alone.',
    { default: 8_084, minimum: 0, maximum: 65_535 },
  ),
  apiDatabaseConnections: whole(
    'API_DATABASE_CONNECTIONS',
    'Most connections to Postgres that the API opens, beside those of the next two lines.',
    {
      default: 10,
      minimum: 2,
      maximum: 1_000,
    },
  ),
  apiPublicConnections: whole(
    'API_PUBLIC_CONNECTIONS',
    'Most connections for browsers alone: a subscribe or beacon never waits for publishers’ requests.',
    { default: 6, minimum: 1, maximum: 1_000 },
  ),
  apiReadConnections: whole(
    'API_READ_CONNECTIONS',
    'Most connections for lists, searches, counts and analytics, given to the organizations in turn.',
    { default: 4, minimum: 2, maximum: 1_000 },
  ),
  readsPerOrganization: whole(
    'READS_PER_ORGANIZATION',
    'Of these reads, how many of one organization run at a time, in each API process; others wait up to 10 s.',
    { default: 2, minimum: 1, maximum: 999 },
  ),
  readSecondsPerMinute: whole(
    'READ_SECONDS_PER_MINUTE',
    'Seconds that the reads of one organization may run in a minute, in each API process; then they get 429.',
    { default: 60, minimum: 1, maximum: 60_000 },
  ),
  publicBaseUrl: optionalText(
    'PUBLIC_BASE_URL',
    'How the API is reached from outside. On loopback it may be left out: as the request named it. Elsewhere the API does not start without it.',
    baseUrlLike('https://push.example.com'),
  ),
  reportingUrl: optionalText(
    'REPORTING_URL',
    'The address of the reporting API, for the dashboard’s reports; without it there are none.',
    baseUrlLike('http://127.0.0.1:8082'),
  ),
  allowLocalhostOrigin: flag(
    'ALLOW_LOCALHOST_ORIGIN',
    'Development only: pages on localhost may subscribe to any app. `broadside up` has it on as long as it listens on loopback and PUBLIC_BASE_URL is not set.',
  ),
  publicRatePerMinute: whole(
    'PUBLIC_RATE_PER_MINUTE',
    'Requests to the public API that one address (IPv6: one /64) may send in a minute, to each API process.',
    { default: 1_200, minimum: 1, maximum: 1_000_000_000 },
  ),
  newSubscriptionsPerHour: whole(
    'NEW_SUBSCRIPTIONS_PER_HOUR',
    'New subscriptions of one app that one address (IPv6: one /64) may make in an hour, over all API processes; 0 takes PUBLIC_RATE_PER_MINUTE for it. Browsers that are known are not counted.',
    { default: 0, minimum: 0, maximum: 1_000_000_000 },
  ),
  trustedProxies: list(
    'TRUSTED_PROXIES',
    'Addresses or ranges (CIDR) of proxies before the API, whose X-Forwarded-For is believed, separated by commas.',
    [],
  ),
  countryHeader: optionalText(
    'COUNTRY_HEADER',
    'Header in which these proxies name the visitor’s country, such as CF-IPCountry; otherwise the bundled database says.',
    { pattern: '^[A-Za-z0-9-]{1,64}$', shape: 'the name of a header' },
  ),
  clientRatePerMinute: whole(
    'CLIENT_RATE_PER_MINUTE',
    'Requests of one user in 60 seconds, over all their tokens and all API processes.',
    { default: 60, minimum: 1, maximum: 10_000 },
  ),
  sessionRatePerMinute: whole(
    'SESSION_RATE_PER_MINUTE',
    'The same for a user who is logged in to the dashboard; counted apart.',
    { default: 600, minimum: 1, maximum: 10_000 },
  ),
  breakingPerDay: optionalWhole(
    'BREAKING_PER_DAY',
    'Most breaking deliveries of each organization a day (UTC); without it there is no limit but its own.',
    { minimum: 0, maximum: 1_000_000 },
  ),
} as const;

export type ApiConfig = Values<typeof apiSettings>;

function contradictions(values: Partial<ApiConfig>): string[] {
  const {
    trustedProxies = [],
    countryHeader,
    apiHost,
    publicBaseUrl,
    readsPerOrganization = 1,
    apiReadConnections = 2,
  } = values;
  const lines = wrongRanges(trustedProxies).map(
    (range) => `TRUSTED_PROXIES holds ${range}, which is neither an address nor a range such as 10.0.0.0/8`,
  );
  if (countryHeader && trustedProxies.length === 0)
    lines.push('COUNTRY_HEADER is believed of trusted proxies only, and TRUSTED_PROXIES names none');
  if (readsPerOrganization >= apiReadConnections)
    lines.push(
      'READS_PER_ORGANIZATION must be below API_READ_CONNECTIONS, or one organization takes all of them',
    );
  // Otherwise links, pages and the check of a page's origin would follow any Host that a stranger sends.
  if (publicBaseUrl === null && typeof apiHost === 'string' && !isLoopbackHost(apiHost)) {
    lines.push(
      'PUBLIC_BASE_URL must be set where API_HOST is not loopback: to how browsers reach the API, such as https://push.example.com',
    );
  }
  return [
    ...clickhouseContradictions(values),
    ...logContradictions(values),
    ...tracingContradictions(values),
    ...vapidContradictions(values),
    ...mailContradictions(values),
    ...providerContradictions(values),
    ...lines,
  ];
}

/** @throws SettingsError with a line for everything that is wrong. */
export function readApiConfig(environment: Environment = withDotEnv(process.env)): ApiConfig {
  return readSettings(apiSettings, environment, contradictions);
}

const { apiHost, apiPort, publicBaseUrl } = apiSettings;
const inviteSettings = { ...placeSettings, apiHost, apiPort, publicBaseUrl } as const;

/** Settings of `broadside user`: the database, and the base of its links. */
export type InviteConfig = Values<typeof inviteSettings>;
export function readInviteConfig(
  url?: string,
  environment: Environment = withDotEnv(process.env),
): InviteConfig {
  return readSettings(inviteSettings, withUrl(environment, url));
}

const { masterKeysOld } = sharedSettings;
const masterKeySettings = {
  ...placeSettings,
  masterKey: optionalText('MASTER_KEY', 'As the roles have it; without it the key in the data folder.', {
    secret: true,
  }),
  masterKeysOld,
} as const;

/** Settings of `broadside master-key`. */
export type MasterKeyConfig = Values<typeof masterKeySettings>;
export function readMasterKeyConfig(
  url?: string,
  environment: Environment = withDotEnv(process.env),
): MasterKeyConfig {
  return readSettings(masterKeySettings, withUrl(environment, url));
}

const { pushServiceHosts, allowAnyPushHost } = sharedSettings;
const transferSettings = {
  ...masterKeySettings,
  ...{ pushServiceHosts, allowAnyPushHost },
  ...{ apiHost, apiPort, publicBaseUrl },
} as const;

/** Settings of `broadside import`, `apps export` and `apps import`. */
export type TransferConfig = Values<typeof transferSettings>;
export function readTransferConfig(
  url?: string,
  environment: Environment = withDotEnv(process.env),
): TransferConfig {
  return readSettings(transferSettings, withUrl(environment, url));
}

const backupSettings = { ...masterKeySettings, ...clickhouseSettings, ...logSettings } as const;

/** Settings of `broadside backup` and `broadside restore`: where everything is that is stored. */
export type BackupConfig = Values<typeof backupSettings>;
export const readBackupConfig = (environment: Environment = withDotEnv(process.env)): BackupConfig =>
  readSettings(backupSettings, environment, logContradictions);

const migrateSettings = { ...databaseSettings, ...clickhouseSettings, ...logTextSettings } as const;

/** Settings of `broadside migrate`: servers alone, as the roles have them. */
export type MigrateConfig = Values<typeof migrateSettings>;
export const readMigrateConfig = (environment: Environment = withDotEnv(process.env)): MigrateConfig =>
  readSettings(migrateSettings, environment, clickhouseContradictions);

/** Settings of `broadside kafka`, whatever LOG_BACKEND says. */
export type KafkaConfig = Values<typeof kafkaSettings>;
export const readKafkaConfig = (environment: Environment = withDotEnv(process.env)): KafkaConfig =>
  readSettings(kafkaSettings, environment, kafkaContradictions);

/** Where the command line finds a running API. */
export const connectionSettings = {
  broadsideUrl: text('BROADSIDE_URL', 'Where the command line finds the API.', {
    default: 'http://127.0.0.1:8080',
    ...baseUrlLike('https://push.example.com'),
  }),
  broadsideToken: optionalText('BROADSIDE_TOKEN', 'The API token that the command line uses.', {
    secret: true,
  }),
  reportingUrl: text('BROADSIDE_REPORTING_URL', 'Where "broadside report" finds the reporting API.', {
    default: 'http://127.0.0.1:8082',
    ...baseUrlLike('https://reports.example.com'),
  }),
  reportToken: optionalText('BROADSIDE_REPORT_TOKEN', 'The report token that "broadside report" uses.', {
    secret: true,
  }),
} as const;

export type ConnectionConfig = Values<typeof connectionSettings>;

/** `--api` goes before BROADSIDE_URL. */
export function readConnectionConfig(
  url?: string,
  environment: Environment = withDotEnv(process.env),
): ConnectionConfig {
  return readSettings(
    connectionSettings,
    url === undefined ? environment : { ...environment, BROADSIDE_URL: url },
  );
}

/** `--reporting` goes before BROADSIDE_REPORTING_URL. */
export function readReportConnection(
  url?: string,
  environment: Environment = withDotEnv(process.env),
): Pick<ConnectionConfig, 'reportingUrl' | 'reportToken'> {
  return readSettings(
    connectionSettings,
    url === undefined ? environment : { ...environment, BROADSIDE_REPORTING_URL: url },
  );
}

/** Settings of `broadside up` beside the roles' own. */
export const upSettings = {
  ...placeSettings,
  postgresPort: whole('POSTGRES_PORT', 'Port of the embedded Postgres; 0 takes any free one.', {
    default: 0,
    minimum: 0,
    maximum: 65_535,
  }),
  masterKey: optionalText('MASTER_KEY', 'As for the roles; without it a key in the data folder.', {
    secret: true,
  }),
  masterKeysOld,
} as const;

export type UpConfig = Values<typeof upSettings> & { readonly environment: Environment };

/** @throws SettingsError with a line for everything that is wrong. */
export function readUpConfig(environment: Environment = withDotEnv(process.env)): UpConfig {
  return { ...readSettings(upSettings, environment), environment };
}

/** All variables that are set, ours and others', with those of `.env`. */
export const readEnvironment = (): Environment => withDotEnv(process.env);
