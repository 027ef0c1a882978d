import { randomUUID } from 'node:crypto';
import { type Command, InvalidArgumentError, Option } from 'commander';
import { urgencies } from '../../../engine/contract/delivery.ts';
import { print, say } from '../../../engine/kit/command-line/terminal.ts';
import { bodyOf } from './answer.ts';
import { connect, type RemoteOptions, remoteHelp, withRemoteOptions } from './connection.ts';
import { exitCodeOf } from './deliveries-command.ts';
import { idOf, wholeOf } from './option-parsers.ts';
import { printWarnings } from './print-warnings.ts';
import { deliveryBodyOf, optionOfField, type SendFields } from './send-body.ts';
import { resultLines, sendTest, type TestBrowsers, testOption } from './send-test.ts';
import { readTranslations, translationsOption } from './translations-file.ts';
import { summaryOf, watchDelivery } from './watch-delivery.ts';

interface SendOptions extends RemoteOptions, SendFields {
  readonly app: string;
  readonly idempotencyKey?: string;
  readonly watch?: boolean;
  readonly test?: TestBrowsers;
}

const help = `${remoteHelp}

The request carries an Idempotency-Key, so that a lost connection is tried again without sending twice.
Give your own with --idempotency-key to make a repeated command harmless too.

Examples:
  broadside send --app news-k3x9qa --title "Breaking" --body "It happened" --url https://news.example.com/1
  broadside send --app news-k3x9qa --title "Breaking" --body "It happened" --url https://news.example.com/1 \\
    --lane breaking --urgency high --button "Live=https://news.example.com/live" --watch
  broadside send --app news-k3x9qa --title "Weekend" --body "To read" --url https://news.example.com/2 \\
    --image ./cover.jpg --segment 12 --at 2026-01-31T08:00:00+00:00 --rate 60000 --json
  broadside send --app news-k3x9qa --title 'Good morning, {{ tag.name | default: "reader" }}' --body "To read" \
    --url https://news.example.com/3 --language en --translations ./briefing.json
  broadside send --app news-k3x9qa --title "Breaking" --body "It happened" --url https://news.example.com/1 \\
    --test --watch`;

export function addSendCommand(program: Command): void {
  withRemoteOptions(program.command('send').description('Sends a notification: creates a delivery.'))
    .requiredOption('--app <identifier>', 'the app')
    .requiredOption('--title <text>', 'first line of the notification')
    .requiredOption('--body <text>', 'its text')
    .requiredOption('--url <url>', 'where a click leads')
    .option('--name <text>', 'internal label (default: the title)')
    .option('--image <url or file>', 'PNG or JPG, at most 2 MB')
    .option('--icon <url or file>', 'its own icon, likewise and best square (default: the app’s)')
    .option('--button <title=url>', 'a button, at most two of them', collectButton)
    .option('--language <tag>', 'language of the texts, such as en or pt-BR')
    .option(...translationsOption)
    .option('--segment <id>', 'only this segment', idOf)
    .option('--category <id>', 'a delivery category: readers who chose only others do not get it', idOf)
    .option('--at <time>', 'when, ISO 8601 (default: now)')
    .option('--expires <time>', 'nothing is sent after it, ISO 8601')
    .option('--ttl <seconds>', 'how long push services keep it (default: the app’s)', wholeOf)
    .option('--topic <topic>', 'replaces older pushes of the same topic')
    .option('--rate <n>', 'at most this many messages per minute', wholeOf)
    .addOption(new Option('--urgency <urgency>', 'for the device’s battery').choices(urgencies))
    .addOption(new Option('--lane <lane>', 'breaking overtakes bulk').choices(['bulk', 'breaking']))
    .option('--require-interaction', 'stays until the reader acts (Chrome, Edge)')
    .option('--ignore-frequency-cap', 'for news that every reader must see')
    .addOption(
      new Option('--during-quiet-hours <what>', 'of the app (default: wait until they end)').choices([
        'wait',
        'drop',
        'send',
      ]),
    )
    .addOption(testOption())
    .option('--rehearsal', 'to the real audience through the whole service, but nobody receives it')
    .option(
      '--duplicate-guard <hours>',
      'ask for confirmation if the same link or title was sent within these hours, 1 to 168',
      wholeOf,
    )
    .option('--confirm-duplicate', 'send it although the guard asked for confirmation')
    .option('--idempotency-key <key>', 'the same key never sends twice in 24 hours')
    .option('--watch', 'follow it until it ends')
    .addHelpText('after', help)
    .action(send);
}

async function send({ app, idempotencyKey, watch, test, ...options }: SendOptions): Promise<void> {
  const client = connect(options);
  const json = options.json === true;
  const key = idempotencyKey ?? randomUUID();
  const translations = await readTranslations(options.translations);
  printWarnings({ ...options, action_buttons: options.button, translations });
  const { data } =
    test === undefined
      ? await bodyOf(
          client.POST('/api/v1/client/apps/{identifier}/deliveries', {
            params: { path: { identifier: app } },
            headers: { 'idempotency-key': key },
            ...(await deliveryBodyOf(options)),
          }),
          optionOfField,
        )
      : await sendTest(client, app, test, { key, fields: options });
  if (watch !== true) {
    const watching = `broadside deliveries watch --app ${app} ${data.id}`;
    return say(json, data, `Delivery ${data.id}: ${data.status}. ${watching}`);
  }
  const delivery = await watchDelivery({ client, identifier: app, id: data.id, json });
  if (!json) print(summaryOf(delivery));
  if (!json && test !== undefined) print(await resultLines(client, app, data.id));
  process.exitCode = exitCodeOf(delivery.status);
}

type Button = NonNullable<SendFields['button']>[number];

/** The first `=` parts the title from the URL: URLs hold more of them. */
function collectButton(text: string, before: readonly Button[] = []): readonly Button[] {
  const [, title, url] = /^([^=]+)=(.+)$/s.exec(text) ?? [];
  if (title === undefined || url === undefined) {
    throw new InvalidArgumentError('must be title=url, such as "Live=https://news.example.com/live".');
  }
  return [...before, { title, url }];
}
