import type { Command } from 'commander';
import { CliError } from '../../../engine/kit/command-line/endings.ts';
import { print, printJson, say } from '../../../engine/kit/command-line/terminal.ts';
import type { Answer, BroadsideClient } from '../../http-client/client.ts';
import { addTransferCommands } from '../app-transfer/command.ts';
import { tableOf } from '../table.ts';
import { bodyOf } from './answer.ts';
import { connect, type RemoteOptions, remoteHelp, withRemoteOptions } from './connection.ts';
import { wholeOf } from './option-parsers.ts';
import { addPictureCommands } from './picture-commands.ts';
import { showStanding } from './show-standing.ts';
import { unreachableReaders } from './unreachable-readers.ts';

type App = Answer<'/api/v1/client/apps', 'get'>['data'][number];

const examples = `${remoteHelp}

Examples:
  broadside apps list
  broadside apps create --name "Example News" --site https://news.example.com
  broadside apps show example-news-k3x9qa --json
  broadside apps check-iphone example-news-k3x9qa
  broadside apps icon example-news-k3x9qa icon.png
  broadside apps badge example-news-k3x9qa --from-site
  broadside apps standing example-news-k3x9qa
  broadside apps unreachable example-news-k3x9qa --days 270
  broadside apps export --app example-news-k3x9qa --passphrase-file pass.txt --out news.ndjson
  broadside apps import --organization "Example News" --passphrase-file pass.txt news.ndjson
  broadside apps adopt-keys --app example-news-k3x9qa --vapid-public public.txt --vapid-private private.txt`;

export function addAppsCommand(program: Command): void {
  const apps = program
    .command('apps')
    .description(
      'Apps: list, show, create, icon, badge, check-iphone, standing, unreachable; export, import and adopt-keys work on the database.',
    )
    .addHelpText('afterAll', examples);
  withRemoteOptions(apps.command('list', { isDefault: true }).description('Lists the apps.')).action(
    listApps,
  );
  withRemoteOptions(
    apps.command('show').description('Shows one app.').argument('<app>', 'its identifier'),
  ).action(showApp);
  withRemoteOptions(
    apps
      .command('create')
      .description('Creates an app and prints its identifier.')
      .requiredOption('--name <text>', 'for people')
      .requiredOption(
        '--site <url>',
        'the site, such as https://news.example.com; any of its addresses will do',
      ),
  ).action(createApp);
  withRemoteOptions(
    apps
      .command('check-iphone')
      .description('Reads the site and says what iPhones and iPads miss; exit code 1 if they get nothing.')
      .argument('<app>', 'its identifier'),
  ).action(checkIphone);
  addPictureCommands(apps);
  withRemoteOptions(
    apps
      .command('standing')
      .description('Shows how push services treat an app, and what browsers judge it by.')
      .argument('<app>', 'its identifier'),
  ).action(showStanding);
  withRemoteOptions(
    apps
      .command('unreachable')
      .description(
        'Counts readers who showed no activity for some days; --prune unsubscribes them from now on.',
      )
      .argument('<app>', 'its identifier')
      .option('--days <number>', 'without a visit, a click or a display: 60 to 400', wholeOf)
      .option('--prune', 'switch on that the app unsubscribes them, once a day')
      .option('--keep', 'switch it off'),
  ).action(unreachableReaders);
  addTransferCommands(apps);
}

const PER_PAGE = 100;
/** 10,000 apps: more than any organization has, and an end. */
const MAX_PAGES = 100;

async function readAll(client: BroadsideClient): Promise<App[]> {
  const apps: App[] = [];
  for (let page = 1; page <= MAX_PAGES; page++) {
    const query = { page, per_page: PER_PAGE };
    const { data, links } = await bodyOf(client.GET('/api/v1/client/apps', { params: { query } }));
    apps.push(...data);
    if (links.next === null) break;
  }
  return apps;
}

async function listApps(options: RemoteOptions): Promise<void> {
  const apps = await readAll(connect(options));
  if (options.json === true) return printJson(apps);
  if (apps.length === 0) {
    print('No app yet: broadside apps create --name "My site" --site https://example.com');
    return;
  }
  const rows = apps.map((app) => [
    app.identifier,
    app.name,
    app.site_domain,
    app.active_subscriber_count,
    app.subscriber_count,
  ]);
  print(tableOf(['APP', 'NAME', 'SITE', 'ACTIVE', 'SUBSCRIBERS'], rows));
}

async function showApp(identifier: string, options: RemoteOptions): Promise<void> {
  const params = { path: { identifier } };
  const { data } = await bodyOf(connect(options).GET('/api/v1/client/apps/{identifier}', { params }));
  if (options.json === true) return printJson(data);
  const width = Math.max(...Object.keys(data).map((name) => name.length));
  for (const [name, value] of Object.entries(data)) {
    print(`${name.padEnd(width)}  ${typeof value === 'object' ? JSON.stringify(value) : value}`);
  }
}

async function checkIphone(identifier: string, options: RemoteOptions): Promise<void> {
  const params = { path: { identifier } };
  const { data } = await bodyOf(
    connect(options).POST('/api/v1/client/apps/{identifier}/home-screen-check', { params }),
  );
  if (options.json === true) printJson(data);
  else
    for (const { blocks, message } of data.findings) print(`${blocks ? 'missing' : 'advice '}  ${message}`);
  if (data.findings.some(({ blocks }) => blocks))
    throw new CliError('iPhones and iPads get no notifications from this site yet.');
  if (options.json !== true)
    print('Readers with an iPhone or iPad can add the site to their home screen and subscribe.');
}

interface CreateOptions extends RemoteOptions {
  readonly name: string;
  readonly site: string;
}

async function createApp(options: CreateOptions): Promise<void> {
  const body = { name: options.name, site_domain: siteOf(options.site) };
  const { data } = await bodyOf(connect(options).POST('/api/v1/client/apps', { body }), {
    name: '--name',
    site_domain: '--site',
  });
  say(options.json, data, data.identifier);
}

/** A pasted address → the site's origin; the API explains what is not an address. */
function siteOf(typed: string): string {
  const text = typed.trim();
  const url = URL.parse(/^[a-z]+:\/\//i.test(text) ? text : `https://${text}`);
  return url !== null && /^https?:$/.test(url.protocol) ? url.origin : text;
}
