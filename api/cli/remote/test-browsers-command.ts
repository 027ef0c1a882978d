import type { Command } from 'commander';
import { print, printJson, say } from '../../../engine/kit/command-line/terminal.ts';
import { tableOf } from '../table.ts';
import { bodyOf } from './answer.ts';
import { connect, type RemoteOptions, remoteHelp, withRemoteOptions } from './connection.ts';
import { idOf } from './option-parsers.ts';

const help = `${remoteHelp}

Examples:
  broadside test-browsers list --app news-k3x9qa
  broadside test-browsers link --app news-k3x9qa
  broadside test-browsers add --app news-k3x9qa 4711 --name "Anna’s phone"
  broadside test-browsers remove --app news-k3x9qa 3`;

/** Whom `send --test` reaches. */
export function addTestBrowsersCommand(program: Command): void {
  const browsers = program
    .command('test-browsers')
    .description('Browsers that a team tries notifications on: list, link, add, remove.')
    .addHelpText('afterAll', help);
  const ofApp = (name: string, description: string): Command =>
    withRemoteOptions(
      browsers.command(name).description(description).requiredOption('--app <identifier>', 'the app'),
    );
  ofApp('list', 'Lists the test browsers of an app.').action(list);
  ofApp('link', 'Prints a link that registers the browser which opens it, once, within 15 minutes.').action(
    link,
  );
  ofApp('add', 'Registers a subscription as a test browser.')
    .argument('<subscription>', 'the subscription’s id', idOf)
    .option('--name <text>', 'for people (default: its browser and system)')
    .action(add);
  ofApp('remove', 'Removes a test browser; the subscription stays.')
    .argument('<id>', 'the test browser', idOf)
    .action(remove);
}

interface AppOptions extends RemoteOptions {
  readonly app: string;
}

const all = '/api/v1/client/apps/{identifier}/test-browsers';
/** As many as a page has: an app has fifty at most. */
const EVERY = 100;

async function list({ app, ...options }: AppOptions): Promise<void> {
  const params = { path: { identifier: app }, query: { per_page: EVERY } };
  const { data } = await bodyOf(connect(options).GET(all, { params }));
  if (options.json === true) return printJson(data);
  if (data.length === 0)
    return print('No test browsers: broadside test-browsers link makes a link that registers one.');
  const rows = data.map((each) => [each.id, each.name, each.status, each.registered_by, each.registered_at]);
  print(tableOf(['ID', 'NAME', 'STATUS', 'REGISTERED BY', 'REGISTERED'], rows));
}

async function link({ app, ...options }: AppOptions): Promise<void> {
  const { data } = await bodyOf(
    connect(options).POST(`${all}/link`, { params: { path: { identifier: app } } }),
  );
  say(options.json, data, data.url);
}

interface AddOptions extends AppOptions {
  readonly name?: string;
}

async function add(subscription: number, { app, name, ...options }: AddOptions): Promise<void> {
  const { data } = await bodyOf(
    connect(options).POST(all, {
      params: { path: { identifier: app } },
      body: { subscription_id: subscription, ...(name === undefined ? {} : { name }) },
    }),
    { subscription_id: String(subscription) },
  );
  say(options.json, data, `${data.name} is test browser ${data.id}.`);
}

async function remove(id: number, { app, ...options }: AppOptions): Promise<void> {
  const params = { path: { identifier: app, test_browser_id: String(id) } };
  await bodyOf(connect(options).DELETE(`${all}/{test_browser_id}`, { params }));
  if (options.json !== true) print(`Test browser ${id} is removed.`);
}
