import { type Command, InvalidArgumentError, Option } from 'commander';
import { withDatabase } from '../../engine/kit/command-line/database.ts';
import { CliError } from '../../engine/kit/command-line/endings.ts';
import { readDatabaseConfig } from '../../engine/kit/command-line/settings.ts';
import { print, printJson } from '../../engine/kit/command-line/terminal.ts';
import { changeBreaking } from '../account/organization/breaking/change.ts';
import { findOrganizationNamed } from '../account/organization/organizations/store.ts';
import { commandActor } from '../auth/audit.ts';
import { type BreakingRole, breakingRoles, readBreaking } from '../auth/breaking.ts';
import { textOf } from './option-texts.ts';

const examples = `
Days are in UTC. The API's setting BREAKING_PER_DAY caps every organization, regardless of these rules. An admin of
the organization changes the same under Settings, Team.

Examples:
  broadside breaking --organization "Example News"                             (shows it)
  broadside breaking --organization "Example News" --role admin --per-day 5
  broadside breaking --organization "Example News" --role member --per-day none`;

const MAX_PER_DAY = 1_000_000;

interface BreakingOptions {
  readonly organization: string;
  readonly role?: BreakingRole;
  /** Commander takes a null for no value. */
  readonly perDay?: number | 'none';
  readonly database?: string;
  readonly json?: boolean;
}

export function addBreakingCommand(program: Command): void {
  program
    .command('breaking')
    .description('The rules for an organization’s breaking deliveries.')
    .addHelpText('after', examples)
    .requiredOption('--organization <name>', 'the organization')
    .addOption(new Option('--role <role>', 'the lowest role that may send them').choices(breakingRoles))
    .option('--per-day <n>', 'the daily limit; none: no limit', perDayOf)
    .option('--database <url>', 'Postgres URL (default: DATABASE_URL, otherwise the one in DATA_FOLDER)')
    .option('--json', 'print it as JSON')
    .action(run);
}

function perDayOf(text: string): number | 'none' {
  if (text === 'none') return text;
  const count = /^\d{1,7}$/.test(text) ? Number(text) : Number.NaN;
  if (count <= MAX_PER_DAY) return count;
  throw new InvalidArgumentError(`It must be a whole number up to ${MAX_PER_DAY}, or none.`);
}

async function run({ role, perDay, json, ...options }: BreakingOptions): Promise<void> {
  const organization = textOf('--organization', options.organization);
  const state = await withDatabase(readDatabaseConfig(options.database), async (database) => {
    const id = await findOrganizationNamed(database, organization);
    if (id === null) throw new CliError(`there is no organization "${organization}"`);
    if (role !== undefined || perDay !== undefined) {
      await changeBreaking(database, commandActor(id), { role, per_day: perDay === 'none' ? null : perDay });
    }
    return readBreaking(database, id, null);
  });
  if (json === true) return printJson({ organization, ...state });
  const who = state.role === 'admin' ? 'its admins' : 'all of its users';
  const most = state.per_day === null ? 'as many a day as they like' : `at most ${state.per_day} a day`;
  print(`"${organization}": ${who} may send breaking deliveries, ${most}; ${state.used} today.`);
}
