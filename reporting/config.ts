import { readSettings, withDotEnv } from '../engine/adapters/settings/read-settings.ts';
import { choice, type Environment, text, type Values, whole } from '../engine/contract/settings.ts';
import {
  clickhouseSettings,
  logLevels,
  tracingContradictions,
  tracingSettings,
} from '../engine/contract/shared-settings.ts';

/** The reporting role's settings. */
export const reportingSettings = {
  ...clickhouseSettings,
  ...tracingSettings,
  reportingHost: text('REPORTING_HOST', 'Address that the reporting API listens on.', {
    default: '127.0.0.1',
  }),
  reportingPort: whole('REPORTING_PORT', 'Port that the reporting API listens on; 0 takes any free one.', {
    default: 8_082,
    minimum: 0,
    maximum: 65_535,
  }),
  logLevel: choice('LOG_LEVEL', 'How much is logged.', logLevels, 'info'),
} as const;

export type ReportingConfig = Values<typeof reportingSettings>;

/** @throws SettingsError with a line for everything that is wrong. */
export function readReportingConfig(environment: Environment = withDotEnv(process.env)): ReportingConfig {
  return readSettings(reportingSettings, environment, tracingContradictions);
}
