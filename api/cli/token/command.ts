import { type Command, InvalidArgumentError, Option } from 'commander';
import { withDatabase } from '../../../engine/kit/command-line/database.ts';
import { CliError } from '../../../engine/kit/command-line/endings.ts';
import { readDatabaseConfig } from '../../../engine/kit/command-line/settings.ts';
import { print, printJson, printNote } from '../../../engine/kit/command-line/terminal.ts';
import { isAddressRange } from '../../../engine/kit/http/address-ranges.ts';
import { formatToken } from '../../../engine/kit/http/token.ts';
import { issueToken } from '../../account/own/tokens/issue.ts';
import { type Ability, abilities, isAbility, type Role, roles } from '../../auth/abilities.ts';
import { parseDay, timestamp, timestampOrNull } from '../../http/fields.ts';
import { emailOf, textOf } from '../option-texts.ts';
import { tableOf } from '../table.ts';
import { listAllTokens, type TokenOfUser } from './list.ts';
import { revokeAnyToken } from './revoke.ts';

interface TokenOptions {
  readonly email: string;
  readonly organization: string;
  readonly name: string;
  readonly abilities: string;
  readonly role?: Role;
  readonly expires?: string;
  readonly app?: readonly string[];
  readonly address?: readonly string[];
  readonly json?: boolean;
  readonly database?: string;
}

const examples = `
Abilities: ${abilities.join(', ')}, or "all".

Examples:
  broadside token create --email ada@example.com --organization "Example News" --name laptop --abilities all
  broadside token create --email ada@example.com --organization "Example News" --name ci \\
    --abilities apps:read,deliveries:write --expires 2027-01-31 --json
  broadside token list --email ada@example.com
  broadside token revoke 17`;

export function addTokenCommand(program: Command): void {
  const command = program.command('token').description('API tokens.').addHelpText('afterAll', examples);
  command
    .command('create')
    .description(
      'Creates an API token, and its organization and user where they are missing. Prints it once.',
    )
    .requiredOption('--email <address>', 'the user that the token belongs to')
    .requiredOption('--organization <name>', 'the user’s organization')
    .requiredOption('--name <text>', 'the purpose of the token')
    .requiredOption('--abilities <list>', 'its abilities, separated by commas')
    .addOption(new Option('--role <role>', 'role of a new user (default: admin)').choices(roles))
    .option('--expires <time>', 'its expiry: a day or a time in UTC (default: never)')
    .option('--app <identifier>', 'an app that it is limited to; may be repeated (default: all)', append)
    .option(
      '--address <range>',
      'an address or range that it may be used from; may be repeated (default: any)',
      append,
    )
    .option('--database <url>', 'Postgres URL (default: DATABASE_URL, otherwise the one in DATA_FOLDER)')
    .option('--json', 'print one JSON object')
    .action(createToken);
  command
    .command('list')
    .description(
      'Lists tokens that were not revoked: their owners, their expiry, and their last use (to the minute).',
    )
    .option('--email <address>', 'only of this user')
    .option('--database <url>', 'Postgres URL (default: DATABASE_URL, otherwise the one in DATA_FOLDER)')
    .option('--json', 'print one JSON object per line')
    .action(listTokens);
  command
    .command('revoke')
    .description('Revokes a token, in every process at once.')
    .argument('<id>', 'its id: the part before the | of the token, and in "token list"', idOf)
    .option('--database <url>', 'Postgres URL (default: DATABASE_URL, otherwise the one in DATA_FOLDER)')
    .option('--json', 'print one JSON object')
    .action(revoke);
}

async function createToken(options: TokenOptions): Promise<void> {
  const request = {
    email: emailOf(options.email),
    organization: textOf('--organization', options.organization),
    name: textOf('--name', options.name),
    abilities: abilitiesOf(options.abilities),
    role: options.role ?? null,
    expiresAt: options.expires === undefined ? null : endOf(options.expires),
    apps: options.app ?? null,
    addresses: options.address?.map(rangeOf) ?? null,
  };
  const issued = await withDatabase(readDatabaseConfig(options.database), (database) =>
    issueToken(database, request),
  );
  if (issued.kind === 'refused') throw new CliError(issued.reason);
  const token = formatToken(issued.token);
  if (options.json === true) {
    const { organizationId, userId, note } = issued;
    printJson({
      token,
      organization_id: organizationId,
      user_id: userId,
      ...(note === null ? {} : { note }),
    });
    return;
  }
  print(token);
  printNote('Keep it now: it is not shown again.');
  if (issued.note !== null) printNote(issued.note);
}

const append = (each: string, before: readonly string[] = []): string[] => [...before, each];

function rangeOf(text: string): string {
  if (isAddressRange(text)) return text;
  throw new CliError(
    `--address "${text}" is not an address such as 192.0.2.7, nor a range such as 192.0.2.0/24`,
  );
}

function endOf(text: string): Date {
  const end = parseDay(text)?.from;
  if (end === undefined)
    throw new CliError(`--expires "${text}" is not a day such as 2027-01-31, nor a time`);
  if (end.getTime() <= Date.now()) throw new CliError(`--expires "${text}" is in the past`);
  return end;
}

async function listTokens(options: Pick<TokenOptions, 'json' | 'database'> & { readonly email?: string }) {
  const email = options.email === undefined ? null : emailOf(options.email);
  const tokens = await withDatabase(readDatabaseConfig(options.database), (database) =>
    listAllTokens(database, email),
  );
  if (options.json === true) {
    for (const token of tokens) printJson(shown(token));
  } else if (tokens.length === 0) printNote('No token.');
  else
    print(
      tableOf(
        ['ID', 'USER', 'NAME', 'LAST USED (UTC)', 'ENDS (UTC)', 'ABILITIES', 'APPS', 'FROM'],
        tokens.map(cellsOf),
      ),
    );
}

async function revoke(id: number, options: Pick<TokenOptions, 'json' | 'database'>): Promise<void> {
  const revoked = await withDatabase(readDatabaseConfig(options.database), (database) =>
    revokeAnyToken(database, id),
  );
  if (revoked === null) throw new CliError(`there is no token ${id}, or it was revoked before`);
  if (options.json === true) printJson({ id, ...revoked });
  else printNote(`Token ${id} (${revoked.name}) of ${revoked.email} is revoked.`);
}

const MAX_ID = 2_147_483_647;

function idOf(text: string): number {
  // The whole token may be given as well: its secret is not needed.
  const [, digits = ''] = /^(\d{1,10})(\|.*)?$/.exec(text) ?? [];
  const id = Number(digits);
  if (digits !== '' && id >= 1 && id <= MAX_ID) return id;
  throw new InvalidArgumentError('must be a token’s id, a whole number.');
}

const shown = (token: TokenOfUser) => ({
  ...token,
  created_at: timestamp(token.created_at),
  last_used_at: timestampOrNull(token.last_used_at),
  expires_at: timestampOrNull(token.expires_at),
});

/** In UTC, as short as a table wants it. */
const minuteOf = (time: Date): string => time.toISOString().slice(0, 16).replace('T', ' ');

function cellsOf(token: TokenOfUser): string[] {
  const { id, email, name, last_used_at: used, expires_at: end } = token;
  const life = end === null ? 'never' : minuteOf(end);
  const all = abilities.every((ability) => token.abilities.includes(ability));
  const held = all ? 'all' : token.abilities.join(',');
  return [
    String(id),
    email,
    name,
    used === null ? 'never' : minuteOf(used),
    life,
    held,
    limitOf(token.apps),
    limitOf(token.addresses),
  ];
}

const limitOf = (limit: readonly string[] | null): string =>
  limit === null ? 'any' : limit.join(',') || 'none';

function abilitiesOf(list: string): readonly Ability[] {
  if (list.trim() === 'all') return abilities;
  const names = [...new Set(list.split(',').map((name) => name.trim()))];
  const unknown = names.filter((name) => !isAbility(name));
  if (unknown.length > 0) {
    throw new CliError(`unknown ability "${unknown.join('", "')}"; use ${abilities.join(', ')}, or "all"`);
  }
  return names.filter(isAbility);
}
