import { type Command, InvalidArgumentError } from 'commander';
import { CliError } from '../../../engine/kit/command-line/endings.ts';
import { print, printJson } from '../../../engine/kit/command-line/terminal.ts';
import type { Answer, BroadsideClient } from '../../http-client/client.ts';
import { tableOf } from '../table.ts';
import { bodyOf } from './answer.ts';
import { connect, type RemoteOptions, withRemoteOptions } from './connection.ts';

type Subscription = Answer<'/api/v1/client/apps/{identifier}/subscriptions/{subscription_id}', 'get'>['data'];

interface ShowOptions extends RemoteOptions {
  readonly app: string;
  readonly user?: string;
}

export function addShowSubscription(subscriptions: Command): void {
  const description = 'Shows one subscription, and the others of the same person.';
  withRemoteOptions(subscriptions.command('show').description(description))
    .requiredOption('--app <identifier>', 'the app')
    .option('--user <identity>', 'the one with this user identity, seen last, instead of an id')
    .argument('[id]', 'the subscription', subscriptionIdOf)
    .action(show);
}

export function subscriptionIdOf(text: string): number {
  if (/^[1-9]\d{0,14}$/.test(text)) return Number(text);
  throw new InvalidArgumentError('must be a subscription’s id, a whole number.');
}

async function show(id: number | undefined, { app, user, ...options }: ShowOptions): Promise<void> {
  if ((id === undefined) === (user === undefined)) {
    throw new CliError('name one subscription: by its id, or by --user and a user identity');
  }
  const client = connect(options);
  const found =
    user === undefined ? await readById(client, app, id ?? 0) : await readByUser(client, app, user);
  const params = { path: { identifier: app, subscription_id: String(found.id) } };
  const path = '/api/v1/client/apps/{identifier}/subscriptions/{subscription_id}/same-person';
  const { data: others } = await bodyOf(client.GET(path, { params }));
  if (options.json === true) printJson({ ...found, same_person: others });
  else print([...fieldLines(found), '', ...personLines(others)]);
}

async function readById(client: BroadsideClient, identifier: string, id: number): Promise<Subscription> {
  const params = { path: { identifier, subscription_id: String(id) } };
  const path = '/api/v1/client/apps/{identifier}/subscriptions/{subscription_id}';
  return (await bodyOf(client.GET(path, { params }))).data;
}

const PER_PAGE = 100;
/** As many as a list has at most. */
const MAX_PAGES = 10_000;

/** The search also finds parts of other texts: only subscriptions with this identity are kept, last seen first. */
async function readByUser(client: BroadsideClient, identifier: string, user: string): Promise<Subscription> {
  const path = '/api/v1/client/apps/{identifier}/subscriptions';
  // Strangers' texts may hold this one as well, any number of them: they fill pages, and hide nobody.
  for (let page = 1; page <= MAX_PAGES; page++) {
    const query = { search: user, sort: 'last_seen_at', per_page: PER_PAGE, page } as const;
    const { data, links } = await bodyOf(client.GET(path, { params: { path: { identifier }, query } }));
    const found = data.find(({ user_identity: identity }) => identity === user);
    if (found !== undefined) return found;
    if (links.next === null) break;
  }
  throw new CliError(
    `${identifier} has no subscription with the user identity ${JSON.stringify(user)}: it is compared as a whole, ` +
      'case-sensitive ("broadside subscriptions export" writes all of them)',
  );
}

function fieldLines(subscription: Subscription): string[] {
  const fields = Object.entries(subscription);
  const width = Math.max(...fields.map(([name]) => name.length));
  return fields.map(([name, value]) => `${name.padEnd(width)}  ${textOf(value)}`);
}

const textOf = (value: unknown): string =>
  value === null ? '–' : typeof value === 'object' ? JSON.stringify(value) : String(value);

function personLines(others: readonly Subscription[]): string[] {
  if (others.length === 0) return ['No other subscription of the same person is known.'];
  const rows = others.map((each) => [
    String(each.id),
    each.status,
    textOf(each.device_type),
    textOf(each.browser_name),
    each.last_seen_at,
  ]);
  return ['The same person’s others:', ...tableOf(['ID', 'STATUS', 'DEVICE', 'BROWSER', 'LAST SEEN'], rows)];
}
