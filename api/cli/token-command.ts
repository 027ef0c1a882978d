import { type Command, Option } from 'commander';
import { formatToken } from '../../engine/adapters/http/token.ts';
import { type Ability, abilities, isAbility, type Role, roles } from '../auth/abilities.ts';
import { readDatabaseConfig } from '../config.ts';
import { withDatabase } from './database.ts';
import { CliError } from './endings.ts';
import { issueToken } from './issue-token.ts';
import { emailOf, textOf } from './option-texts.ts';

interface TokenOptions {
  readonly email: string;
  readonly organization: string;
  readonly name: string;
  readonly abilities: string;
  readonly role?: Role;
  readonly json?: boolean;
  readonly database?: string;
}

const examples = `
Abilities: ${abilities.join(', ')}, or "all".

Examples:
  broadside token create --email ada@example.com --organization "Example News" --name laptop --abilities all
  broadside token create --email ada@example.com --organization "Example News" --name ci \\
    --abilities apps:read,deliveries:write --json`;

export function addTokenCommand(program: Command): void {
  program
    .command('token')
    .description('API tokens.')
    .command('create')
    .description(
      'Creates an API token, and its organization and user where they are missing. Prints it once.',
    )
    .requiredOption('--email <address>', 'the user that the token belongs to')
    .requiredOption('--organization <name>', 'the user’s organization')
    .requiredOption('--name <text>', 'what the token is for')
    .requiredOption('--abilities <list>', 'what it may do, separated by commas')
    .addOption(new Option('--role <role>', 'role of a new user (default: admin)').choices(roles))
    .option('--database <url>', 'Postgres URL (default: DATABASE_URL, else the one in DATA_FOLDER)')
    .option('--json', 'print one JSON object')
    .addHelpText('after', examples)
    .action(createToken);
}

async function createToken(options: TokenOptions): Promise<void> {
  const request = {
    email: emailOf(options.email),
    organization: textOf('--organization', options.organization),
    name: textOf('--name', options.name),
    abilities: abilitiesOf(options.abilities),
    role: options.role ?? null,
  };
  const issued = await withDatabase(readDatabaseConfig(options.database), (database) =>
    issueToken(database, request),
  );
  if (issued.kind === 'refused') throw new CliError(issued.reason);
  const token = formatToken(issued.token);
  if (options.json === true) {
    console.log(JSON.stringify({ token, organization_id: issued.organizationId, user_id: issued.userId }));
    return;
  }
  console.log(token);
  console.error('Keep it now: it is not shown again.');
}

function abilitiesOf(list: string): readonly Ability[] {
  if (list.trim() === 'all') return abilities;
  const names = [...new Set(list.split(',').map((name) => name.trim()))];
  const unknown = names.filter((name) => !isAbility(name));
  if (unknown.length > 0) {
    throw new CliError(
      `unknown ability "${unknown.join('", "')}"; there are ${abilities.join(', ')}, and "all"`,
    );
  }
  return names.filter(isAbility);
}
