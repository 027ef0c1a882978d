import { replaced } from '../../engine/adapters/settings/read-settings.ts';
import { type EngineConfig, readEngineConfig } from '../../engine/config.ts';
import type { Environment } from '../../engine/contract/settings/settings.ts';
import { SettingsError } from '../../engine/contract/settings/settings-error.ts';
import { type ReportingConfig, readReportingConfig } from '../../reporting/config.ts';
import { type ApiConfig, readApiConfig, type UpConfig } from '../settings/config.ts';

export interface RolesConfig {
  readonly config: EngineConfig & ApiConfig;
  readonly reportingConfig: ReportingConfig;
}

/** Before anything is made: wrong settings must leave no half-made folder behind. */
export const checkRoles = ({ environment, databaseUrl, masterKey }: UpConfig): RolesConfig =>
  readRoles(
    replaced(environment, {
      DATABASE_URL: databaseUrl ?? 'postgres://checked/later',
      MASTER_KEY: masterKey ?? 'A'.repeat(43),
    }),
  );

/** The settings of all roles in one process. @throws SettingsError with the lines of every role that has wrong ones. */
export function readRoles(environment: Environment): RolesConfig {
  const lines = new Set<string>();
  const read = <Config>(readConfig: (environment: Environment) => Config): Config | null => {
    try {
      return readConfig(environment);
    } catch (error) {
      if (!(error instanceof SettingsError)) throw error;
      for (const line of error.lines) lines.add(line);
      return null;
    }
  };
  const engine = read(readEngineConfig);
  const api = read(readApiConfig);
  const reportingConfig = read(readReportingConfig);
  if (engine === null || api === null || reportingConfig === null) throw new SettingsError([...lines]);
  return { config: { ...engine, ...api }, reportingConfig };
}
