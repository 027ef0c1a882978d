import { type Command, Option } from 'commander';
import { withDatabase } from '../../../engine/kit/command-line/database.ts';
import { CliError } from '../../../engine/kit/command-line/endings.ts';
import { print, printJson, printNote } from '../../../engine/kit/command-line/terminal.ts';
import { inviteUser } from '../../account/organization/invitations/invite-from-command.ts';
import { linkUrl } from '../../account/organization/invitations/link.ts';
import { type Role, roles } from '../../auth/abilities.ts';
import { grantedRoles } from '../../auth/app-roles.ts';
import type { Grant } from '../../auth/grant-store.ts';
import { timestamp } from '../../http/fields.ts';
import { readInviteConfig } from '../../settings/config.ts';
import { emailOf, textOf } from '../option-texts.ts';
import { tableOf } from '../table.ts';
import { grantTo } from './grant.ts';
import { type ListedUser, listAllUsers } from './list.ts';
import { resetFactorOf } from './reset-factor.ts';
import { unlinkProviderOf } from './unlink-provider.ts';

const inviteExamples = `
Examples:
  broadside user invite --email ada@example.com --organization "Example News" --role admin
  broadside user invite --email grace@example.com --organization "Example News" --role guest --grant example-sports-k7m2pq=author
  broadside user invite --email ada@example.com --organization "Example News" --json`;

const grantExamples = `
Examples:
  broadside user grant --email grace@example.com --grant example-sports-k7m2pq=author
  broadside user grant --email grace@example.com --grant example-sports-k7m2pq=none --json`;

const listExamples = `
Examples:
  broadside user list
  broadside user list --organization "Example News" --json`;

const resetExamples = `
Examples:
  broadside user reset-second-factor --email ada@example.com`;

const unlinkExamples = `
Examples:
  broadside user unlink-provider --email ada@example.com`;

const databaseOption = [
  '--database <url>',
  'Postgres URL (default: DATABASE_URL, otherwise the one in DATA_FOLDER)',
] as const;

export function addUserCommand(program: Command): void {
  const user = program.command('user').description('Users who may log in.');
  user
    .command('invite')
    .description(
      'Prints a link to set a password and log in, once within 7 days. Creates a missing user and organization; an existing user gets a new password.',
    )
    .requiredOption('--email <address>', 'the invited person’s address')
    .requiredOption('--organization <name>', 'their organization')
    .addOption(new Option('--role <role>', 'role of a new user (default: member)').choices(roles))
    .option(
      '--grant <app=role...>',
      'roles of a new user on single apps, by identifier: reader, author, approver, admin',
    )
    .option(...databaseOption)
    .option('--json', 'print one JSON object')
    .addHelpText('after', inviteExamples)
    .action(invite);
  user
    .command('list')
    .description('Lists users, with their organization and role.')
    .option('--organization <name>', 'only of this organization')
    .option(...databaseOption)
    .option('--json', 'print one JSON object per line')
    .addHelpText('after', listExamples)
    .action(list);
  user
    .command('grant')
    .description(
      'Gives a user roles on single apps, or takes them with none. A role there raises the user above their role in the organization, and never lowers it.',
    )
    .requiredOption('--email <address>', 'the user’s address')
    .requiredOption('--grant <app=role...>', 'by identifier: reader, author, approver, admin, none')
    .option(...databaseOption)
    .option('--json', 'print one JSON object')
    .addHelpText('after', grantExamples)
    .action(grant);
  user
    .command('reset-second-factor')
    .description(
      'Removes a user’s second factor, so that the password alone lets them in. Make sure that the request comes from this user.',
    )
    .requiredOption('--email <address>', 'the user’s address')
    .option(...databaseOption)
    .option('--json', 'print one JSON object')
    .addHelpText('after', resetExamples)
    .action(resetFactor);
  user
    .command('unlink-provider')
    .description(
      'Unlinks a user from the people of OpenID providers: the next one with the verified address is linked. Make sure that the address is theirs.',
    )
    .requiredOption('--email <address>', 'the user’s address')
    .option(...databaseOption)
    .option('--json', 'print one JSON object')
    .addHelpText('after', unlinkExamples)
    .action(unlinkProvider);
}

interface InviteOptions {
  readonly email: string;
  readonly organization: string;
  readonly role?: Role;
  readonly grant?: readonly string[];
  readonly json?: boolean;
  readonly database?: string;
}

async function invite(options: InviteOptions): Promise<void> {
  const wanted = {
    email: emailOf(options.email),
    organization: textOf('--organization', options.organization),
    role: options.role ?? null,
  };
  const grants = [...grantsOf(options.grant ?? [])].map(([app, role]) => {
    if (role === null) throw new CliError(`--grant ${app}=none: a new user has no role to remove`);
    return { app, role };
  });
  const config = readInviteConfig(options.database);
  const invited = await withDatabase(config, (database) => inviteUser(database, wanted, grants));
  if (invited.kind === 'refused') throw new CliError(invited.reason);
  const url = linkUrl(config.publicBaseUrl ?? `http://${config.apiHost}:${config.apiPort}`, invited.link);
  const expiresAt = timestamp(invited.expiresAt);
  if (options.json === true) {
    const { role, isNewUser } = invited;
    printJson({ url, role, is_new_user: isNewUser, expires_at: expiresAt });
    return;
  }
  print(url);
  printNote(`Good for one use until ${expiresAt}. It is not shown again.`);
}

async function grant(options: Pick<InviteOptions, 'email' | 'grant' | 'json' | 'database'>): Promise<void> {
  const email = emailOf(options.email);
  const changes = grantsOf(options.grant ?? []);
  const config = readInviteConfig(options.database);
  const ending = await withDatabase(config, (database) => grantTo(database, email, changes));
  if (ending.kind === 'refused') throw new CliError(ending.reason);
  if (options.json === true) printJson({ email, grants: ending.grants });
  else printNote(`${email}: ${grantsInWords(ending.grants)}. From the next request on.`);
}

/** @throws CliError where one is not `<app>=<role>`. */
function grantsOf(texts: readonly string[]): ReadonlyMap<string, Grant['role'] | null> {
  return new Map(
    texts.map((text) => {
      const [, app, given] = /^([^=\s]+)=([a-z]+)$/.exec(text) ?? [];
      const role = grantedRoles.find((each) => each === given) ?? null;
      if (app === undefined || (role === null && given !== 'none'))
        throw new CliError(
          `--grant ${text}: write example-sports-k7m2pq=author, with one of ${[...grantedRoles, 'none'].join(', ')}`,
        );
      return [app, role];
    }),
  );
}

const grantsInWords = (grants: readonly Grant[]): string =>
  grants.length === 0
    ? 'no roles on single apps'
    : grants.map(({ app, role }) => `${app} ${role}`).join(', ');

async function resetFactor(options: Pick<InviteOptions, 'email' | 'json' | 'database'>): Promise<void> {
  const email = emailOf(options.email);
  const config = readInviteConfig(options.database);
  const ending = await withDatabase(config, (database) => resetFactorOf(database, email));
  if (ending === 'unknown') throw new CliError(`there is no user ${email}`);
  if (ending === 'none') throw new CliError(`${email} has no second factor`);
  if (options.json === true) printJson({ email });
  else printNote(`${email} has no second factor now.`);
}

async function unlinkProvider(options: Pick<InviteOptions, 'email' | 'json' | 'database'>): Promise<void> {
  const email = emailOf(options.email);
  const config = readInviteConfig(options.database);
  const ending = await withDatabase(config, (database) => unlinkProviderOf(database, email));
  if (ending === 'unknown') throw new CliError(`there is no user ${email}`);
  if (ending === 'none') throw new CliError(`${email} is linked to no provider`);
  if (options.json === true) printJson({ email });
  else printNote(`${email} is linked to no provider now.`);
}

interface ListOptions {
  readonly organization?: string;
  readonly json?: boolean;
  readonly database?: string;
}

async function list(options: ListOptions): Promise<void> {
  const config = readInviteConfig(options.database);
  const users = await withDatabase(config, (database) =>
    listAllUsers(database, options.organization ?? null),
  );
  if (options.json === true) {
    for (const user of users) printJson(user);
  } else if (users.length === 0) printNote('No user.');
  else print(tableOf(['E-MAIL', 'ROLE', 'ON APPS', 'ORGANIZATION', 'NAME', 'LOG-IN'], users.map(cellsOf)));
}

const cellsOf = ({
  email,
  role,
  grants,
  organization,
  name,
  has_password: canLogIn,
}: ListedUser): string[] => [
  email,
  role,
  grants.map((each) => `${each.app}=${each.role}`).join(' '),
  organization,
  name,
  canLogIn ? 'password' : 'not yet',
];
