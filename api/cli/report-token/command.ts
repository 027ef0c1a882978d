import type { Command } from 'commander';
import { listReportTokens, type ReportTokenListed } from '../../../engine/adapters/postgres/report-tokens.ts';
import { shownDomain } from '../../../engine/contract/domain-names.ts';
import { withDatabase } from '../../../engine/kit/command-line/database.ts';
import { CliError } from '../../../engine/kit/command-line/endings.ts';
import { readDatabaseConfig } from '../../../engine/kit/command-line/settings.ts';
import { print, printCells, printJson, printNote } from '../../../engine/kit/command-line/terminal.ts';
import { formatToken } from '../../../engine/kit/http/token.ts';
import { timestamp, timestampOrNull } from '../../http/fields.ts';
import { emailOf, textOf } from '../option-texts.ts';
import { issueReportToken, revokeAndNote } from './issue.ts';
import { type ScopeOptions, scopeOf } from './scope.ts';

const examples = `
Examples:
  broadside report-token issue --email ada@example.com --organization "Example News" --domain news.example
  broadside report-token issue --email ada@example.com --organization "Example News" --name dashboard \\
    --domain news.example --domain sport.example --wholesaler "North Sales" --json
  broadside report-token issue --email ops@example.com --organization Operator --unrestricted
  broadside report-token list --email ada@example.com
  broadside report-token revoke 17`;

const databaseOption = [
  '--database <url>',
  'Postgres URL (default: DATABASE_URL, otherwise the one in DATA_FOLDER)',
] as const;

const MAX_LISTED = 10_000;
const collect = (value: string, before: readonly string[]): readonly string[] => [...before, value];

export function addReportTokenCommand(program: Command): void {
  const command = program
    .command('report-token')
    .description('Tokens of the reporting API.')
    .addHelpText('afterAll', examples);
  command
    .command('issue')
    .description(
      'Issues a token that sees the rows of some publisher domains and wholesalers, and prints it once. Where both are given, a row must be of both. A missing user or organization is created.',
    )
    .requiredOption('--email <address>', 'the user that the token belongs to')
    .requiredOption('--organization <name>', 'the user’s organization')
    .option('--name <text>', 'the purpose of the token', 'reports')
    .option('--domain <domain>', 'a publisher domain that it sees; may be given many times', collect, [])
    .option('--wholesaler <name>', 'a wholesaler that it sees; may be given many times', collect, [])
    .option('--unrestricted', 'it sees every row', false)
    .option(...databaseOption)
    .option('--json', 'print one JSON object')
    .action(issue);
  command
    .command('list')
    .description('Lists tokens with their users, scopes and last use (to the minute).')
    .option('--email <address>', 'only of this user')
    .option(...databaseOption)
    .option('--json', 'print one JSON object per line')
    .action(list);
  command
    .command('revoke <id>')
    .description('Revokes a token, in every process at once. The id is the part before the | of the token.')
    .option(...databaseOption)
    .option('--json', 'print one JSON object')
    .action(revoke);
}

interface CommonOptions {
  readonly json?: boolean;
  readonly database?: string;
}

interface IssueOptions extends CommonOptions, ScopeOptions {
  readonly email: string;
  readonly organization: string;
  readonly name: string;
}

async function issue(options: IssueOptions): Promise<void> {
  const request = {
    email: emailOf(options.email),
    organization: textOf('--organization', options.organization),
    name: textOf('--name', options.name),
    scope: scopeOf(options),
  };
  const issued = await withDatabase(readDatabaseConfig(options.database), (database) =>
    issueReportToken(database, request),
  );
  if (issued.kind === 'refused') throw new CliError(issued.reason);
  const token = formatToken(issued.token);
  if (options.json === true) {
    const { id } = issued.token;
    printJson({ token, id, user_id: issued.userId, ...request.scope });
    return;
  }
  print(token);
  printNote('Keep it now: it is not shown again.');
}

async function list(options: CommonOptions & { readonly email?: string }): Promise<void> {
  const email = options.email === undefined ? null : emailOf(options.email);
  const tokens = await withDatabase(readDatabaseConfig(options.database), (database) =>
    listReportTokens(database, email, MAX_LISTED),
  );
  for (const token of tokens) {
    if (options.json === true) printJson(shown(token));
    else printCells(cellsOf(token));
  }
}

const shown = (token: ReportTokenListed) => ({
  ...token,
  created_at: timestamp(token.created_at),
  last_used_at: timestampOrNull(token.last_used_at),
  revoked_at: timestampOrNull(token.revoked_at),
});

function cellsOf(token: ReportTokenListed): (string | number)[] {
  const { id, email, name, revoked_at: revokedAt, last_used_at: lastUsedAt } = token;
  const used = lastUsedAt === null ? 'never used' : `used ${timestamp(lastUsedAt)}`;
  const state = revokedAt === null ? used : `revoked ${timestamp(revokedAt)}`;
  return [id, email, name, sees(token), state];
}

function sees({ domains, wholesalers, unrestricted }: ReportTokenListed): string {
  if (unrestricted) return 'every row';
  const parts = [...domains.map(shownDomain), ...wholesalers.map((name) => `wholesaler ${name}`)];
  return parts.length === 0 ? 'nothing' : parts.join(', ');
}

async function revoke(text: string, options: CommonOptions): Promise<void> {
  const id = /^\d{1,9}$/.test(text) ? Number(text) : 0;
  // The whole token may be pasted by mistake: it is not repeated.
  if (id < 1) throw new CliError('the id is the number before the | of the token');
  const ended = await withDatabase(readDatabaseConfig(options.database), (database) =>
    revokeAndNote(database, id),
  );
  if (ended === null) throw new CliError(`there is no report token ${id}`);
  if (options.json === true) printJson({ id, revoked: true, already: !ended });
  else print(ended ? `Report token ${id} is revoked.` : `Report token ${id} was revoked before.`);
}
