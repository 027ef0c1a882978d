import { type Command, InvalidArgumentError, Option } from 'commander';
import { print, printJson } from '../../../engine/kit/command-line/terminal.ts';
import type { Answer } from '../../http-client/client.ts';
import { tableOf } from '../table.ts';
import { bodyOf, noteOlder } from './answer.ts';
import { connect, type RemoteOptions, remoteHelp, withRemoteOptions } from './connection.ts';
import { limitOf } from './option-parsers.ts';

type Listed = Answer<'/api/v1/client/apps/{identifier}/drafts', 'get'>['data'][number];

const help = `${remoteHelp}

Examples:
  broadside drafts list --app news-k3x9qa --kind template
  broadside drafts show --app news-k3x9qa 7 | jq .values.title
  broadside drafts delete --app news-k3x9qa 7`;

/** Writing is for the dashboard: here one reads them, and tidies up. */
export function addDraftsCommand(program: Command): void {
  const drafts = program
    .command('drafts')
    .description('Drafts and templates of a team: list, show, delete.')
    .addHelpText('afterAll', help);
  const ofApp = (name: string, description: string): Command =>
    withRemoteOptions(
      drafts.command(name).description(description).requiredOption('--app <identifier>', 'the app'),
    );
  ofApp('list', 'Lists drafts and templates, those that were saved last first.')
    .addOption(new Option('--kind <kind>', 'only these').choices(['draft', 'template']))
    .option('--limit <n>', 'how many, at most 100', limitOf, 25)
    .action(list);
  ofApp('show', 'Prints a draft or template with what it holds, as JSON.')
    .argument('<id>', 'the draft', draftIdOf)
    .action(show);
  ofApp('delete', 'Deletes a draft or template; what was sent stays.')
    .argument('<id>', 'the draft', draftIdOf)
    .action(remove);
}

interface AppOptions extends RemoteOptions {
  readonly app: string;
}

interface ListOptions extends AppOptions {
  readonly kind?: Listed['kind'];
  readonly limit: number;
}

async function list({ app, kind, limit, ...options }: ListOptions): Promise<void> {
  const query = { per_page: limit, ...(kind === undefined ? {} : { kind }) };
  const params = { path: { identifier: app }, query };
  const { data, meta } = await bodyOf(
    connect(options).GET('/api/v1/client/apps/{identifier}/drafts', { params }),
  );
  if (options.json === true) return printJson(data);
  if (data.length === 0) return print(kind === undefined ? 'No draft or template yet.' : `No ${kind} yet.`);
  const rows = data.map((each) => [
    ...[each.id, each.kind, each.name, each.assignee?.name ?? ''],
    ...[each.changed_by_name ?? each.changed_by, each.updated_at],
  ]);
  print(tableOf(['ID', 'KIND', 'NAME', 'FOR', 'SAVED BY', 'SAVED'], rows));
  noteOlder(meta.total - data.length);
}

const one = '/api/v1/client/apps/{identifier}/drafts/{draft_id}';
const paramsOf = (app: string, id: number) => ({ path: { identifier: app, draft_id: String(id) } });

async function show(id: number, { app, ...options }: AppOptions): Promise<void> {
  const { data } = await bodyOf(connect(options).GET(one, { params: paramsOf(app, id) }));
  printJson(data, options.json === true ? 0 : 2);
}

async function remove(id: number, { app, ...options }: AppOptions): Promise<void> {
  await bodyOf(connect(options).DELETE(one, { params: paramsOf(app, id) }));
  if (options.json !== true) print(`Draft ${id} is deleted.`);
}

function draftIdOf(text: string): number {
  if (/^[1-9]\d{0,9}$/.test(text)) return Number(text);
  throw new InvalidArgumentError('must be a draft’s id, a whole number.');
}
