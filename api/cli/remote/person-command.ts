import { writeFile } from 'node:fs/promises';
import type { Command } from 'commander';
import { counted } from '../../../engine/contract/counted.ts';
import { CliError } from '../../../engine/kit/command-line/endings.ts';
import { print, printJson, say } from '../../../engine/kit/command-line/terminal.ts';
import type { components } from '../../http-client/schema.d.ts';
import { bodyOf } from './answer.ts';
import { connect, type RemoteOptions, remoteHelp, withRemoteOptions } from './connection.ts';
import { idOf } from './option-parsers.ts';

const help = `
A person is named by exactly one of --user-id, --external-id and --endpoint. All of the app's subscriptions with that id
are theirs; an endpoint is one browser. The export shows which other ids they have: repeat the command for these.

An erasure cannot be undone. Postgres is done at once, with more than 1,000 subscriptions within minutes; ClickHouse follows within minutes, and looks once more after nine
days for what was still on its way. The receipt says how far it is, and what remains and why.
${remoteHelp} It requires ability subscriptions:write and role admin.

Examples:
  broadside person export --app news-k3x9qa --user-id 4711 --out person.json
  broadside person erase --app news-k3x9qa --external-id account=9f31
  broadside person erase --app news-k3x9qa --external-id account=9f31 --yes
  broadside person receipt --app news-k3x9qa 7`;

interface AppOptions extends RemoteOptions {
  readonly app: string;
}

interface PersonOptions extends AppOptions {
  readonly userId?: string;
  readonly externalId?: string;
  readonly endpoint?: string;
}

export function addPersonCommand(program: Command): void {
  const person = program
    .command('person')
    .description('What is stored about a person: export, erase, receipt.')
    .addHelpText('afterAll', help);
  const ofApp = (name: string, description: string): Command =>
    withRemoteOptions(
      person.command(name).description(description).requiredOption('--app <identifier>', 'the app'),
    );
  const ofPerson = (name: string, description: string): Command =>
    ofApp(name, description)
      .option('--user-id <id>', 'the user identity')
      .option('--external-id <name=value>', 'an external id')
      .option('--endpoint <url>', 'the endpoint of one browser');
  ofPerson('export', 'Prints all that is stored about a person, as one JSON object.')
    .option('--out <file>', 'write it there, for its owner alone')
    .action(exportPerson);
  ofPerson('erase', 'Erases a person; without --yes it only says what would be erased.')
    .option('--yes', 'erase them')
    .action(erasePerson);
  ofApp('receipt', 'Shows how far an erasure is.')
    .argument('<id>', 'of the receipt', idOf)
    .action(showReceipt);
}

const people = '/api/v1/client/apps/{identifier}/people';

async function readPerson({ app, ...options }: PersonOptions) {
  const params = { path: { identifier: app } };
  const answer = connect(options).POST(`${people}/export`, { params, body: personOf(options) });
  return (await bodyOf(answer, optionOf)).data;
}

async function exportPerson({ out, ...options }: PersonOptions & { readonly out?: string }): Promise<void> {
  const data = await readPerson(options);
  const text = JSON.stringify(data, null, options.json === true ? 0 : 2);
  if (out === undefined) return printJson(data, options.json === true ? 0 : 2);
  await writeFile(out, `${text}\n`, { mode: 0o600, flag: 'wx' }).catch((error: Error) => {
    throw new CliError(`cannot write ${out}: ${error.message}`, { cause: error });
  });
  say(options.json, { file: out }, out);
}

async function erasePerson({ yes, ...options }: PersonOptions & { readonly yes?: boolean }): Promise<void> {
  if (yes !== true) {
    const { subscriptions, attempts, events } = await readPerson(options);
    const counts = { subscriptions: subscriptions.length, attempts: attempts.length, events: events.length };
    if (options.json === true) return printJson({ would_erase: counts });
    print(
      `${counted(counts.subscriptions, 'subscription')} with ${counted(counts.attempts, 'attempt')} and ${counted(counts.events, 'event')}. Nothing is erased yet: add --yes.`,
    );
    return;
  }
  const { app, ...rest } = options;
  const params = { path: { identifier: app } };
  const answer = connect(rest).POST(`${people}/erase`, { params, body: personOf(rest) });
  printReceipt((await bodyOf(answer, optionOf)).data, rest);
}

async function showReceipt(id: number, { app, ...options }: AppOptions): Promise<void> {
  const params = { path: { identifier: app, erasure_id: String(id) } };
  printReceipt(
    (await bodyOf(connect(options).GET(`${people}/erasures/{erasure_id}`, { params }))).data,
    options,
  );
}

type Receipt = components['schemas']['Erasure'];

function printReceipt(receipt: Receipt, { json }: RemoteOptions): void {
  if (json === true) {
    printJson(receipt);
    return;
  }
  const { id, subscriptions, waiting, state, complete_by: by, stores, remains } = receipt;
  const rest = waiting === 0 ? '' : ` (${counted(waiting, 'more waits', 'more wait')} for an engine)`;
  print(
    `Receipt ${id}: ${counted(subscriptions, 'subscription')}${rest}, ${state}${by === null ? '' : `, complete by ${by}`}`,
  );
  for (const store of stores) print(`  ${store.store}: ${store.state}. ${store.note}`);
  print('What remains:');
  for (const { what, why } of remains) print(`  ${what}. ${why}`);
}

const optionOf = { user_identity: '--user-id', external_id: '--external-id', endpoint: '--endpoint' };

function personOf({ userId, externalId, endpoint }: Omit<PersonOptions, 'app'>) {
  if ([userId, externalId, endpoint].filter((given) => given !== undefined).length !== 1)
    throw new CliError('give exactly one of --user-id, --external-id and --endpoint');
  if (userId !== undefined) return { user_identity: userId };
  if (endpoint !== undefined) return { endpoint };
  const [, name = '', value = ''] = /^([^=]+)=(.+)$/.exec(externalId ?? '') ?? [];
  if (name === '') throw new CliError('--external-id takes name=value, such as account=9f31');
  return { external_id: { name, value } };
}
