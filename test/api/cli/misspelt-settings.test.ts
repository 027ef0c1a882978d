// tier: unit
import { describe, expect, it } from 'vitest';
import { misspeltSettings } from '../../../api/cli/misspelt-settings.ts';
import { apiSettings, connectionSettings, upSettings } from '../../../api/settings/config.ts';
import { engineSettings } from '../../../engine/config.ts';
import { variablesOf } from '../../../engine/contract/settings/settings.ts';
import { reportingSettings } from '../../../reporting/config.ts';

const settings = [apiSettings, engineSettings, reportingSettings, connectionSettings, upSettings].flatMap(
  variablesOf,
);

describe('a variable that is no setting', () => {
  it.each([
    ['API_PROT', 'API_PORT'],
    ['API_PRT', 'API_PORT'],
    ['DATABSE_URL', 'DATABASE_URL'],
    ['KAFKA_BROKER', 'KAFKA_BROKERS'],
    ['KAFKA_SASL_PASWORD_FILE', 'KAFKA_SASL_PASSWORD_FILE'],
    ['PUBLIC_BASEURL', 'PUBLIC_BASE_URL'],
    ['log_level', 'LOG_LEVEL'],
    ['WORKER_THRAEDS', 'WORKER_THREADS'],
    ['BROADSIDE_TOKN', 'BROADSIDE_TOKEN'],
  ])('%s is named with %s', (name, likely) => {
    expect(misspeltSettings([name], settings)).toEqual([`${name} is no setting. Did you mean ${likely}?`]);
  });

  it('that begins with our own name is named without a proposal', () => {
    expect(misspeltSettings(['BROADSIDE_COLOR'], settings)).toEqual([
      'BROADSIDE_COLOR is no setting: "broadside settings" lists them.',
    ]);
  });

  it('is not named where it belongs to somebody else', () => {
    const others = [
      'PATH',
      'HOME',
      'PORT',
      'HOST',
      'API_KEY',
      'API_URL',
      'API_TOKEN',
      'POSTGRES_HOST',
      'POSTGRES_USER',
      'PGHOST',
      'CLICKHOUSE_HOST',
      'KAFKA_HOME',
      'OTEL_RESOURCE_ATTRIBUTES',
      'OTEL_TRACES_SAMPLER',
      'OTEL_EXPORTER_OTLP_PROTOCOL',
      'NODE_ENV',
      'LOGNAME',
      'REPORT_URL',
      'npm_config_cache',
    ];
    expect(misspeltSettings(others, settings)).toEqual([]);
  });

  it('is not named where it is a setting', () => {
    expect(misspeltSettings(settings, settings)).toEqual([]);
  });
});
