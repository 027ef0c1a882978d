import type { Command } from 'commander';
import { replaced } from '../../../engine/adapters/settings/read-settings.ts';
import { systemClock } from '../../../engine/contract/concurrency/clock.ts';
import { within } from '../../../engine/contract/concurrency/time-limit.ts';
import type { Environment } from '../../../engine/contract/settings/settings.ts';
import { SettingsError } from '../../../engine/contract/settings/settings-error.ts';
import { withDatabase } from '../../../engine/kit/command-line/database.ts';
import { placeSettings } from '../../../engine/kit/command-line/settings.ts';
import { readEnvironment } from '../../settings/config.ts';
import { checksOf, type Opened } from './checks.ts';
import { examine, type Finding, type Found, ok, problem, warning } from './finding.ts';
import type { DoctorParts } from './parts.ts';
import { printFindings } from './print.ts';
import { settingsOf } from './surroundings.ts';

const help = `
It checks settings, servers, tables, topics, clocks, disks, the encryption, the way to the push services, the
certificate of PUBLIC_BASE_URL, VAPID contacts, OpenID providers and the master key, all at once and within 10 seconds.
It changes nothing, and sends nothing. An embedded
database that no process holds is opened for the time of the check. Run it with the settings, and on the machine, of the
process that you want to check.

A finding is ok, a warning (works, and will not for long or not for everyone), a problem, or skipped: it could not be
checked from here.

Exit codes: 0 no problem, 1 a problem, 2 wrong command.

Examples:
  broadside doctor
  broadside doctor --role engine
  broadside doctor --json | jq '.findings[] | select(.state == "problem")'`;

interface Options {
  readonly role?: readonly string[];
  readonly json?: boolean;
}

export function addDoctorCommand(program: Command, parts: DoctorParts): void {
  program
    .command('doctor')
    .description('Checks everything that Broadside needs, and says how to fix what is wrong.')
    .option('--role <name...>', 'check the settings of these roles: api, engine, reporting (default: all)')
    .option('--json', 'print one JSON object')
    .addHelpText('after', help)
    .action(async ({ role, json }: Options) => {
      const findings = await diagnose(readEnvironment(), parts, role ?? Object.keys(parts.roles));
      printFindings(findings, json === true);
      if (findings.some(({ state }) => state === 'problem')) process.exitCode = 1;
    });
}

export async function diagnose(
  environment: Environment,
  parts: DoctorParts,
  roles: readonly string[],
): Promise<Finding[]> {
  const place = settingsOf(placeSettings, environment) ?? nowhere;
  const { dataFolder, databaseUrl } = place;
  const opened = Promise.withResolvers<Opened>();
  const looked = Promise.withResolvers<void>();
  const closed = withDatabase(place, (database) => {
    opened.resolve({ database });
    return looked.promise;
  }).catch((error) => opened.resolve({ error }));
  const [settings, found] = await Promise.all([
    checkSettings(environment, parts, roles),
    examine(checksOf({ environment, dataFolder, databaseUrl, opened: opened.promise, parts })),
  ]);
  looked.resolve();
  await within(systemClock, CLOSE_MS, closed);
  return [...settings.map((one) => ({ area: 'settings' as const, ...one })), ...found];
}

/** A connection that is not answered is left to the end of the process; an embedded database is stopped in time. */
const CLOSE_MS = 3_000;

/** Where the settings are wrong: as if none were given. */
const nowhere = {
  databaseUrl: null,
  dataFolder: 'data',
  databaseSslMode: null,
  databaseSslCa: null,
} as const;

/** A key and a database of its own are what `broadside up` would take from its data folder. */
async function checkSettings(
  environment: Environment,
  parts: DoctorParts,
  roles: readonly string[],
): Promise<Found[]> {
  const lines = new Set<string>();
  const given = roles.length === Object.keys(parts.roles).length ? withFolder(environment) : environment;
  for (const [name, read] of Object.entries(parts.roles)) {
    if (roles.includes(name)) for (const line of linesOf(() => read(given))) lines.add(line);
  }
  const wrong = [...lines].map((line) =>
    problem(line, 'Correct it: "broadside settings" lists every setting.'),
  );
  const misspelt = (await parts.misspelt(environment)).map((line) =>
    warning(line, 'Correct or remove the variable.'),
  );
  if (wrong.length > 0) return [...wrong, ...misspelt];
  return [ok(`right for ${roles.join(', ')}, on Node ${process.versions.node}`), ...misspelt];
}

function withFolder(environment: Environment): Environment {
  const isGiven = (name: string): boolean => Boolean(environment[name] || environment[`${name}_FILE`]);
  return replaced(environment, {
    ...(isGiven('DATABASE_URL') ? {} : { DATABASE_URL: 'postgres://of-the/data-folder' }),
    ...(isGiven('MASTER_KEY') ? {} : { MASTER_KEY: 'A'.repeat(43) }),
  });
}

function linesOf(read: () => unknown): readonly string[] {
  try {
    read();
    return [];
  } catch (error) {
    if (error instanceof SettingsError) return error.lines;
    throw error;
  }
}
