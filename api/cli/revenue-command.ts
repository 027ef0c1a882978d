import type { Command } from 'commander';
import type { Database } from '../../engine/adapters/postgres/database.ts';
import type { Sql } from '../../engine/adapters/postgres/sql.ts';
import type { OrganizationId } from '../../engine/contract/ids.ts';
import { withDatabase } from '../../engine/kit/command-line/database.ts';
import { CliError } from '../../engine/kit/command-line/endings.ts';
import { readDatabaseConfig } from '../../engine/kit/command-line/settings.ts';
import { printCells, printJson, printNote } from '../../engine/kit/command-line/terminal.ts';
import { findOrganizationNamed } from '../account/organization/organizations/store.ts';
import { commandActor, noteChange } from '../auth/audit.ts';
import { timestamp } from '../http/fields.ts';
import {
  EVERY_SITE,
  grantDomain,
  listGrantedDomains,
  revokeDomain,
} from '../shared/revenue/revenue-domains.ts';
import { parseDomain } from '../shared/revenue/site.ts';
import { textOf } from './option-texts.ts';

const examples = `
A publisher can type any site for an app, so a site's earnings are hidden until you confirm its owner. A domain
stands for itself, with and without "www.", and for every subdomain.

Examples:
  broadside revenue grant --organization "Example News" --domain news.example
  broadside revenue grant --organization "Example News" --every-site   (the only publisher here)
  broadside revenue revoke --organization "Example News" --domain news.example
  broadside revenue list --json`;

const organizationOption = ['--organization <name>', 'the organization'] as const;
const databaseOption = [
  '--database <url>',
  'Postgres URL (default: DATABASE_URL, otherwise the one in DATA_FOLDER)',
] as const;

export function addRevenueCommand(program: Command): void {
  const revenue = program
    .command('revenue')
    .description('Which organization may see the earnings of which domain, in analytics of its apps.')
    .addHelpText('afterAll', examples);
  for (const [verb, text] of [
    ['grant', 'Lets an organization see the earnings of a domain.'],
    ['revoke', 'Takes a grant back.'],
  ] as const) {
    revenue
      .command(verb)
      .description(text)
      .requiredOption(...organizationOption)
      .option('--domain <domain>', 'such as news.example')
      .option('--every-site', 'every site that an app of the organization names, instead of one domain')
      .option(...databaseOption)
      .action((options: ChangeOptions) => change(verb, options));
  }
  revenue
    .command('list')
    .description('Lists the grants.')
    .option('--organization <name>', 'only of this organization')
    .option(...databaseOption)
    .option('--json', 'print one JSON object per line')
    .action(list);
}

interface ChangeOptions {
  readonly organization: string;
  readonly domain?: string;
  readonly everySite?: boolean;
  readonly database?: string;
}

async function change(verb: 'grant' | 'revoke', options: ChangeOptions): Promise<void> {
  const organization = textOf('--organization', options.organization);
  const domain = domainOf(options);
  const changed = await withDatabase(readDatabaseConfig(options.database), (database) =>
    changeRevenueDomain(database, verb, { organization, domain }),
  );
  const what = domain === EVERY_SITE ? 'every site of its apps' : domain;
  const may = verb === 'grant' ? 'may see the earnings of' : 'may not see the earnings of';
  printNote(`"${organization}" ${may} ${what}${changed ? '' : ': no change'}.`);
}

function domainOf({ domain, everySite = false }: ChangeOptions): string {
  if (everySite === (domain !== undefined)) throw new CliError('name either --domain or --every-site');
  const parsed = domain === undefined ? EVERY_SITE : parseDomain(domain);
  if (parsed === null) throw new CliError(`--domain "${domain}" is not a domain such as news.example`);
  return parsed;
}

/** With its note. @returns false where it was so before. @throws CliError where there is no such organization. */
const changeRevenueDomain = (
  database: Database,
  verb: 'grant' | 'revoke',
  { organization, domain }: { readonly organization: string; readonly domain: string },
): Promise<boolean> =>
  database.transaction(async (sql) => {
    const id = await findOrganizationNamed(sql, organization);
    if (id === null) throw new CliError(`there is no organization "${organization}"`);
    const write = verb === 'grant' ? grantRevenue : revokeRevenue;
    return write(sql, id, domain);
  });

async function grantRevenue(sql: Sql, id: OrganizationId, domain: string): Promise<boolean> {
  const changed = await grantDomain(sql, id, domain);
  if (changed) await noteChange(sql, commandActor(id), { action: 'revenue.granted', subjectId: domain });
  return changed;
}

async function revokeRevenue(sql: Sql, id: OrganizationId, domain: string): Promise<boolean> {
  const changed = await revokeDomain(sql, id, domain);
  if (changed) await noteChange(sql, commandActor(id), { action: 'revenue.revoked', subjectId: domain });
  return changed;
}

async function list(options: { organization?: string; json?: boolean; database?: string }): Promise<void> {
  const granted = await withDatabase(readDatabaseConfig(options.database), (database) =>
    listGrantedDomains(database, options.organization ?? null),
  );
  for (const { organization, domain, granted_at } of granted) {
    const row = { organization, domain, granted_at: timestamp(granted_at) };
    if (options.json === true) printJson(row);
    else printCells(Object.values(row));
  }
}
