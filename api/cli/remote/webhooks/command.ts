import { type Command, Option } from 'commander';
import { type WebhookType, webhookStates, webhookTypes } from '../../../../engine/contract/webhooks.ts';
import { say } from '../../../../engine/kit/command-line/terminal.ts';
import { bodyOf, noteOlder } from '../answer.ts';
import { connect, type RemoteOptions, remoteHelp, withRemoteOptions } from '../connection.ts';
import { collect, idOf, limitOf, withoutUndefined } from '../option-parsers.ts';
import {
  detailText,
  type Message,
  messageTable,
  messageText,
  secretText,
  type Webhook,
  webhookTable,
} from './show.ts';

const help = `${remoteHelp}

A webhook is a URL of yours that receives states, signed by Standard Webhooks. --type may be given several times:
${webhookTypes.join(', ')}.

Examples:
  broadside webhook create --url https://cms.example.com/broadside --type delivery.success --type delivery.failed
  broadside webhook list
  broadside webhook show 3
  broadside webhook ping 3
  broadside webhook messages 3 --state failed
  broadside webhook replay 3 812
  broadside webhook change 3 --enable
  broadside webhook rotate 3
  broadside webhook delete 3`;

const path = '/api/v1/client/webhooks';

export function addWebhookCommand(program: Command): void {
  const webhook = program
    .command('webhook')
    .description('Webhooks: list, show, create, change, delete, rotate, ping, messages, replay.')
    .addHelpText('afterAll', help);
  const each = (name: string, description: string): Command =>
    withRemoteOptions(webhook.command(name).description(description));
  const ofOne = (name: string, description: string): Command =>
    each(name, description).argument('<id>', 'the webhook', idOf);
  each('list', 'Lists the webhooks.').action(list);
  ofOne('show', 'Shows a webhook.').action(show);
  withFields(each('create', 'Creates a webhook, and shows its secret once.')).action(create);
  withFields(ofOne('change', 'Changes a webhook.'))
    .addOption(new Option('--enable', 'also one that Broadside disabled').conflicts('disable'))
    .option('--disable', 'what waits is given up')
    .action(change);
  ofOne('delete', 'Deletes a webhook and its log.').action(remove);
  ofOne('rotate', 'Makes a new secret, and shows it once; the one before signs as well for 24 hours.').action(
    rotate,
  );
  ofOne('ping', 'Sends a message to try it.').action(ping);
  ofOne('messages', 'Lists what was sent to it, and what it answered.')
    .addOption(new Option('--state <state>', 'only messages in this state').choices(webhookStates))
    .option('--limit <n>', 'how many, at most 100', limitOf, 25)
    .action(messages);
  ofOne('replay', 'Sends a message again.').argument('<message>', 'its id', idOf).action(replay);
}

const withFields = (command: Command): Command =>
  command
    .option('--url <url>', 'https, on the public internet')
    .option('--description <text>', 'for people')
    .option('--type <type>', 'what it gets; several times for several types', collect);

interface Fields {
  readonly url?: string;
  readonly description?: string;
  readonly type?: readonly string[];
}

/** The API refuses what is missing, or unknown, in words. */
const bodyOfFields = ({ url, description, type }: Fields) =>
  withoutUndefined({ url, description, types: type as WebhookType[] | undefined });
const optionOf = { url: '--url', description: '--description', types: '--type' };
const pathOf = (id: number) => ({ path: { webhook_id: String(id) } });

async function list(options: RemoteOptions): Promise<void> {
  const params = { query: { per_page: 100 } };
  const { data } = await bodyOf(connect(options).GET(path, { params }));
  const none = 'No webhook yet: broadside webhook create --url https://… --type delivery.success';
  say(options.json, data, data.length === 0 ? none : webhookTable(data));
}

async function show(id: number, options: RemoteOptions): Promise<void> {
  const { data } = await bodyOf(connect(options).GET(`${path}/{webhook_id}`, { params: pathOf(id) }));
  say(options.json, data, detailText(data));
}

async function create({ api, json, ...fields }: RemoteOptions & Fields): Promise<void> {
  const { url = '', types = [], ...rest } = bodyOfFields(fields);
  const client = connect(withoutUndefined({ api }));
  const { data } = await bodyOf(client.POST(path, { body: { url, types, ...rest } }), optionOf);
  say(json, data, [`Webhook ${data.id} is made.`, secretText(data.secret)]);
}

interface ChangeOptions extends RemoteOptions, Fields {
  readonly enable?: boolean;
  readonly disable?: boolean;
}

async function change(id: number, options: ChangeOptions): Promise<void> {
  const { api, json, enable, disable, ...fields } = options;
  const enabled = enable === true ? true : disable === true ? false : undefined;
  const body = withoutUndefined({ ...bodyOfFields(fields), enabled });
  const client = connect(withoutUndefined({ api }));
  const request = client.PATCH(`${path}/{webhook_id}`, { params: pathOf(id), body });
  const { data } = await bodyOf(request, optionOf);
  say(json, data, detailText(data));
}

async function remove(id: number, options: RemoteOptions): Promise<void> {
  await bodyOf(connect(options).DELETE(`${path}/{webhook_id}`, { params: pathOf(id) }));
  say(options.json, { id }, `Webhook ${id} is deleted.`);
}

async function rotate(id: number, options: RemoteOptions): Promise<void> {
  const request = connect(options).POST(`${path}/{webhook_id}/rotate-secret`, { params: pathOf(id) });
  const { data } = await bodyOf(request);
  say(options.json, data, secretText(data.secret, data.old_secret_until));
}

async function ping(id: number, options: RemoteOptions): Promise<void> {
  const request = connect(options).POST(`${path}/{webhook_id}/ping`, { params: pathOf(id) });
  sayMessage(options.json, id, (await bodyOf(request)).data);
}

interface MessagesOptions extends RemoteOptions {
  readonly state?: Message['state'];
  readonly limit: number;
}

async function messages(id: number, { state, limit, ...options }: MessagesOptions): Promise<void> {
  const params = { ...pathOf(id), query: withoutUndefined({ per_page: limit, state }) };
  const { data, meta } = await bodyOf(connect(options).GET(`${path}/{webhook_id}/messages`, { params }));
  say(options.json, data, data.length === 0 ? 'No such message.' : messageTable(data));
  if (options.json !== true) noteOlder(meta.total - data.length);
}

async function replay(id: number, message: number, options: RemoteOptions): Promise<void> {
  const params = { path: { ...pathOf(id).path, message_id: String(message) } };
  const request = connect(options).POST(`${path}/{webhook_id}/messages/{message_id}/replay`, { params });
  sayMessage(options.json, id, (await bodyOf(request)).data);
}

const sayMessage = (json: boolean | undefined, id: Webhook['id'], message: Message): void =>
  say(json, message, messageText(id, message));
