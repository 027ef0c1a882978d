import type { Command } from 'commander';
import { counted } from '../../../engine/contract/counted.ts';
import { print, printJson, say } from '../../../engine/kit/command-line/terminal.ts';
import { bodyOf } from './answer.ts';
import { connect, type RemoteOptions, remoteHelp, withRemoteOptions } from './connection.ts';
import { wholeOf, withoutUndefined } from './option-parsers.ts';
import { printWarnings } from './print-warnings.ts';

const help = `${remoteHelp}

Examples:
  broadside welcome show --app news-k3x9qa
  broadside welcome set --app news-k3x9qa --title "Thank you" --body "We write when it matters." \\
    --url https://news.example.com/welcome --delay 5
  broadside welcome off --app news-k3x9qa`;

export function addWelcomeCommand(program: Command): void {
  const welcome = program
    .command('welcome')
    .description('What new subscribers get, once each: show, set, off.')
    .addHelpText('afterAll', help);
  const ofApp = (name: string, description: string): Command =>
    withRemoteOptions(
      welcome.command(name).description(description).requiredOption('--app <identifier>', 'the app'),
    );
  ofApp('show', 'Shows the welcome, and what it did in 30 days.').action(show);
  ofApp('set', 'Sets the welcome, and switches it on.')
    .requiredOption('--title <text>', 'its title')
    .requiredOption('--body <text>', 'its text')
    .requiredOption('--url <url>', 'what a click opens')
    .option('--image-url <url>', 'an image, fetched now')
    .option('--icon <url>', 'its own icon, fetched now (default: the app’s)')
    .option('--delay <minutes>', 'from the subscription, 0 to 1,440 (default: 0)', wholeOf)
    .action(set);
  ofApp('off', 'Switches it off, also for those who wait for it; its text stays.').action(off);
}

interface AppOptions extends RemoteOptions {
  readonly app: string;
}
interface SetOptions extends AppOptions {
  readonly title: string;
  readonly body: string;
  readonly url: string;
  readonly imageUrl?: string;
  readonly icon?: string;
  readonly delay?: number;
}

const at = '/api/v1/client/apps/{identifier}/welcome';
const paramsOf = (app: string) => ({ path: { identifier: app } });

async function show({ app, ...options }: AppOptions): Promise<void> {
  const { data } = await bodyOf(connect(options).GET(at, { params: paramsOf(app) }));
  if (options.json === true) return printJson(data);
  if (data.updated_at === null) return print('No welcome: broadside welcome set writes one.');
  const { days, sent, displayed, clicked } = data.results;
  print([
    `${data.enabled ? 'On' : 'Off'}, ${data.delay_minutes} min after the subscription`,
    `Title      ${data.title}`,
    `Text       ${data.body}`,
    `Link       ${data.url}`,
    `Image      ${data.image_url ?? '–'}`,
    `Icon       ${data.icon_url ?? 'the app’s'}`,
    `In ${counted(days, 'day')} ${sent} sent, ${displayed ?? '?'} displayed, ${clicked ?? '?'} clicked; ${data.waiting} waiting`,
  ]);
}

async function set({ app, title, body, url, imageUrl, icon, delay, ...options }: SetOptions): Promise<void> {
  const pictures = { image_url: imageUrl, icon_url: icon };
  const wanted = { enabled: true, title, body, url, ...pictures, delay_minutes: delay };
  printWarnings(wanted);
  const { data } = await bodyOf(
    connect(options).PUT(at, { params: paramsOf(app), body: withoutUndefined(wanted) }),
    { image_url: '--image-url', icon_url: '--icon', delay_minutes: '--delay' },
  );
  say(options.json, data, `New subscribers of ${app} get “${data.title}”.`);
}

async function off({ app, ...options }: AppOptions): Promise<void> {
  const client = connect(options);
  const { data: kept } = await bodyOf(client.GET(at, { params: paramsOf(app) }));
  const { title, body, url, delay_minutes } = kept;
  if (title === null || body === null || url === null) return print('There is no welcome.');
  const pictures = { image_url: kept.image_url ?? undefined, icon_url: kept.icon_url ?? undefined };
  const wanted = { enabled: false, title, body, url, ...pictures, delay_minutes };
  const { data } = await bodyOf(client.PUT(at, { params: paramsOf(app), body: withoutUndefined(wanted) }));
  say(options.json, data, `New subscribers of ${app} get no welcome.`);
}
