import { apiSettings } from '../../../api/settings/config.ts';
import { engineSettings } from '../../../engine/config.ts';
import { describeSettings, type Settings } from '../../../engine/contract/settings/settings.ts';
import { reportingSettings } from '../../../reporting/config.ts';

export const rolesOfChart = {
  api: apiSettings,
  engine: engineSettings,
  reporting: reportingSettings,
} as const satisfies Readonly<Record<string, Settings>>;

/** The chart gives these itself, or has a value of its own for them. */
const given: ReadonlySet<string> = new Set([
  ...['API_HOST', 'API_PORT', 'API_INTERNAL_HOST', 'API_INTERNAL_PORT', 'INTERNAL_HOST', 'INTERNAL_PORT'],
  ...['REPORTING_HOST', 'REPORTING_PORT', 'REPORTING_INTERNAL_HOST', 'REPORTING_INTERNAL_PORT'],
  ...['LOG_BACKEND', 'PUBLIC_BASE_URL', 'TRUSTED_PROXIES'],
]);
/** Never on in an installation that is reachable from outside. */
const forTests: ReadonlySet<string> = new Set([
  ...['ALLOW_ANY_PUSH_HOST', 'ALLOW_LOCALHOST_ORIGIN', 'PUSH_SERVICE_CA_FILE'],
]);

/** What may stand in a values file: names of settings that are not secret, and of files with those that are. */
export function settingNames(tables: readonly Settings[]): string[] {
  const secrets = new Set(
    tables.flatMap((table) =>
      Object.values(table)
        .filter(({ schema }) => 'secret' in schema && schema.secret === true)
        .map(({ env }) => env),
    ),
  );
  const names = tables
    .flatMap(describeSettings)
    .flatMap(({ env, file }) => [...(secrets.has(env) ? [] : [env]), ...(file === null ? [] : [file])]);
  return [...new Set(names)].filter((name) => !given.has(name) && !forTests.has(name)).toSorted();
}
