import { readSettings, replaced, withDotEnv } from '../../adapters/settings/read-settings.ts';
import { databaseTlsSettings } from '../../contract/settings/postgres-url.ts';
import { type Environment, optionalText, type Values } from '../../contract/settings/settings.ts';
import { dataFolder } from '../../contract/settings/shared-settings.ts';

/** Where the database is: a server, or the embedded one of the data folder. */
export const placeSettings = {
  dataFolder,
  databaseUrl: optionalText('DATABASE_URL', 'A Postgres server; without it the embedded one.', {
    secret: true,
  }),
  ...databaseTlsSettings,
} as const;

/** `--database` goes before DATABASE_URL. */
export const withUrl = (environment: Environment, url: string | undefined): Environment =>
  url === undefined ? environment : replaced(environment, { DATABASE_URL: url });

/** The settings of a command that works on the database alone. */
export type DatabaseConfig = Values<typeof placeSettings>;
export function readDatabaseConfig(
  url?: string,
  environment: Environment = withDotEnv(process.env),
): DatabaseConfig {
  return readSettings(placeSettings, withUrl(environment, url));
}
