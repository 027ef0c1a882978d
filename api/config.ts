import { readSettings, withDotEnv } from '../engine/adapters/settings/read-settings.ts';
import {
  type Environment,
  flag,
  optionalText,
  text,
  type Values,
  whole,
} from '../engine/contract/settings.ts';
import {
  clickhouseSettings,
  logContradictions,
  logSettings,
  sharedSettings,
} from '../engine/contract/shared-settings.ts';

/** The API role's settings. */
export const apiSettings = {
  ...sharedSettings,
  ...logSettings,
  ...clickhouseSettings,
  apiHost: text('API_HOST', 'Address that the API listens on.', { default: '127.0.0.1' }),
  apiPort: whole('API_PORT', 'Port that the API listens on; 0 takes any free one.', {
    default: 8_080,
    minimum: 0,
    maximum: 65_535,
  }),
  apiDatabaseConnections: whole(
    'API_DATABASE_CONNECTIONS',
    'Most connections to Postgres that the API opens.',
    {
      default: 10,
      minimum: 2,
      maximum: 1_000,
    },
  ),
  publicBaseUrl: optionalText(
    'PUBLIC_BASE_URL',
    'How the API is reached from outside; by default as the request named it.',
    {
      pattern: '^https?://[^/\\s]+(/[^?#\\s]*[^/?#\\s])?$',
      shape: 'a URL without a slash at its end, such as https://push.example.com',
    },
  ),
  allowLocalhostOrigin: flag(
    'ALLOW_LOCALHOST_ORIGIN',
    'Development only: pages on localhost may subscribe to any app.',
  ),
} as const;

export type ApiConfig = Values<typeof apiSettings>;

/** @throws SettingsError with a line for everything that is wrong. */
export function readApiConfig(environment: Environment = withDotEnv(process.env)): ApiConfig {
  return readSettings(apiSettings, environment, logContradictions);
}

/** Where the database is: a server, or the embedded one of the data folder. */
const placeSettings = {
  dataFolder: text('DATA_FOLDER', 'Folder of the embedded databases and keys.', { default: 'data' }),
  databaseUrl: optionalText('DATABASE_URL', 'A Postgres server; without it the embedded one.', {
    secret: true,
  }),
} as const;

/** `--database` goes before DATABASE_URL. */
const withUrl = (environment: Environment, url: string | undefined): Environment =>
  url === undefined ? environment : { ...environment, DATABASE_URL: url };

/** What `broadside token` reads. */
export type DatabaseConfig = Values<typeof placeSettings>;
export function readDatabaseConfig(
  url?: string,
  environment: Environment = withDotEnv(process.env),
): DatabaseConfig {
  return readSettings(placeSettings, withUrl(environment, url));
}

const { pushServiceHosts, allowAnyPushHost } = sharedSettings;
const importSettings = { ...placeSettings, pushServiceHosts, allowAnyPushHost } as const;

/** What `broadside import` reads. */
export type ImportConfig = Values<typeof importSettings>;
export function readImportConfig(
  url?: string,
  environment: Environment = withDotEnv(process.env),
): ImportConfig {
  return readSettings(importSettings, withUrl(environment, url));
}

/** What `broadside up` reads beside the roles' own settings. */
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
} as const;

export type UpConfig = Values<typeof upSettings> & { readonly environment: Environment };

/** @throws SettingsError with a line for everything that is wrong. */
export function readUpConfig(environment: Environment = withDotEnv(process.env)): UpConfig {
  return { ...readSettings(upSettings, environment), environment };
}
