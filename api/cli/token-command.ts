import { type Command, Option } from 'commander';
import { formatToken } from '../../engine/adapters/http/token.ts';
import { type Ability, abilities, isAbility, type Role, roles } from '../auth/abilities.ts';
import { parseDay, timestamp, timestampOrNull } from '../client/fields.ts';
import { readDatabaseConfig } from '../config.ts';
import { withDatabase } from './database.ts';
import { CliError } from './endings.ts';
import { issueToken } from './issue-token.ts';
import { listAllTokens, type TokenOfUser } from './list-tokens.ts';
import { emailOf, textOf } from './option-texts.ts';

interface TokenOptions {
  readonly email: string;
  readonly organization: string;
  readonly name: string;
  readonly abilities: string;
  readonly role?: Role;
  readonly expires?: string;
  readonly json?: boolean;
  readonly database?: string;
}

const examples = `
Abilities: ${abilities.join(', ')}, or "all".

Examples:
  broadside token create --email ada@example.com --organization "Example News" --name laptop --abilities all
  broadside token create --email ada@example.com --organization "Example News" --name ci \\
    --abilities apps:read,deliveries:write --expires 2027-01-31 --json
  broadside token list --email ada@example.com`;

export function addTokenCommand(program: Command): void {
  const command = program.command('token').description('API tokens.');
  command
    .command('create')
    .description(
      'Creates an API token, and its organization and user where they are missing. Prints it once.',
    )
    .requiredOption('--email <address>', 'the user that the token belongs to')
    .requiredOption('--organization <name>', 'the user’s organization')
    .requiredOption('--name <text>', 'what the token is for')
    .requiredOption('--abilities <list>', 'what it may do, separated by commas')
    .addOption(new Option('--role <role>', 'role of a new user (default: admin)').choices(roles))
    .option('--expires <time>', 'when it ends: a day or a time in UTC (default: it does not end by itself)')
    .option('--database <url>', 'Postgres URL (default: DATABASE_URL, else the one in DATA_FOLDER)')
    .option('--json', 'print one JSON object')
    .addHelpText('after', examples)
    .action(createToken);
  command
    .command('list')
    .description(
      'Lists tokens that were not revoked: whose they are, when they end, when they were last used (to the minute).',
    )
    .option('--email <address>', 'only of this user')
    .option('--database <url>', 'Postgres URL (default: DATABASE_URL, else the one in DATA_FOLDER)')
    .option('--json', 'print one JSON object per line')
    .action(listTokens);
}

async function createToken(options: TokenOptions): Promise<void> {
  const request = {
    email: emailOf(options.email),
    organization: textOf('--organization', options.organization),
    name: textOf('--name', options.name),
    abilities: abilitiesOf(options.abilities),
    role: options.role ?? null,
    expiresAt: options.expires === undefined ? null : endOf(options.expires),
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

function endOf(text: string): Date {
  const end = parseDay(text)?.from;
  if (end === undefined) throw new CliError(`--expires "${text}" is no day such as 2027-01-31, and no time`);
  if (end.getTime() <= Date.now()) throw new CliError(`--expires "${text}" is over already`);
  return end;
}

async function listTokens(options: Pick<TokenOptions, 'json' | 'database'> & { readonly email?: string }) {
  const email = options.email === undefined ? null : emailOf(options.email);
  const tokens = await withDatabase(readDatabaseConfig(options.database), (database) =>
    listAllTokens(database, email),
  );
  for (const token of tokens)
    console.log(options.json === true ? JSON.stringify(shown(token)) : lineOf(token));
}

const shown = (token: TokenOfUser) => ({
  ...token,
  created_at: timestamp(token.created_at),
  last_used_at: timestampOrNull(token.last_used_at),
  expires_at: timestampOrNull(token.expires_at),
});

function lineOf({
  id,
  email,
  name,
  abilities: held,
  last_used_at: used,
  expires_at: end,
}: TokenOfUser): string {
  const use = used === null ? 'never used' : `used ${timestamp(used)}`;
  const life =
    end === null ? 'does not end' : `${end.getTime() > Date.now() ? 'ends' : 'ended'} ${timestamp(end)}`;
  return [id, email, name, held.join(','), use, life].join('\t');
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
