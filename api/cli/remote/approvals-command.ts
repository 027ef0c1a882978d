import { type Command, InvalidArgumentError } from 'commander';
import { print, printJson } from '../../../engine/kit/command-line/terminal.ts';
import type { BroadsideClient } from '../../http-client/client.ts';
import { tableOf } from '../table.ts';
import { bodyOf } from './answer.ts';
import { connect, type RemoteOptions, remoteHelp, withRemoteOptions } from './connection.ts';

const help = `${remoteHelp}

An app may ask for a second person (its setting "approval"): what goes to readers then waits for somebody who did not
write it. What is approved is what the command read; if somebody changes it meanwhile, nothing happens.

Examples:
  broadside approvals list --app news-k3x9qa
  broadside approvals approve --app news-k3x9qa delivery 4711
  broadside approvals decline --app news-k3x9qa campaign 12 --note "Which ferries?" --json`;

export function addApprovalsCommand(program: Command): void {
  const approvals = program
    .command('approvals')
    .description('What waits for a second person: list, approve, decline.')
    .addHelpText('afterAll', help);
  const ofApp = (name: string, description: string): Command =>
    withRemoteOptions(
      approvals.command(name).description(description).requiredOption('--app <identifier>', 'the app'),
    );
  const ofOne = (name: string, description: string): Command =>
    ofApp(name, description)
      .argument('<kind>', 'delivery or campaign', kindOf)
      .argument('<id>', 'its id', idOf)
      .option('--note <text>', 'for its author');
  ofApp('list', 'Lists deliveries and campaigns that wait, the newest first.').action(list);
  ofOne('approve', 'Approves it: it starts at its time, or now where that has passed.').action(
    (kind: Kind, id: string, options: DecideOptions) => decide('approve', kind, id, options),
  );
  ofOne('decline', 'Sends it back to its author: it waits until it is changed.').action(
    (kind: Kind, id: string, options: DecideOptions) => decide('decline', kind, id, options),
  );
}

const kinds = ['delivery', 'campaign'] as const;
type Kind = (typeof kinds)[number];

interface AppOptions extends RemoteOptions {
  readonly app: string;
}
interface DecideOptions extends AppOptions {
  readonly note?: string;
}

const deliveries = '/api/v1/client/apps/{identifier}/deliveries';
const campaigns = '/api/v1/client/apps/{identifier}/campaigns';
/** More wait for nobody's eyes. */
const SHOWN = 100;

async function list({ app, ...options }: AppOptions): Promise<void> {
  const client = connect(options);
  const params = { path: { identifier: app }, query: { approval: 'waiting', per_page: SHOWN } } as const;
  const [delivered, planned] = await Promise.all([
    bodyOf(client.GET(deliveries, { params })),
    bodyOf(client.GET(campaigns, { params })),
  ]);
  const waiting = [
    ...delivered.data.map((each) => ({ kind: 'delivery' as const, ...each })),
    ...planned.data.map((each) => ({ ...each, kind: 'campaign' as const, changes: each.version })),
  ].filter(({ status }) => status === 'pending' || status === 'scheduled');
  if (options.json === true) return printJson(waiting);
  if (waiting.length === 0) return print('Nothing is waiting for approval.');
  const rows = waiting.map(({ kind, id, name, approval }) => [
    kind,
    id,
    name,
    approval?.authors.join(', ') ?? '',
    approval?.asked_at ?? '',
  ]);
  print(tableOf(['KIND', 'ID', 'NAME', 'WRITTEN BY', 'ASKED'], rows));
}

async function decide(
  decision: 'approve' | 'decline',
  kind: Kind,
  id: string,
  { app, note, ...options }: DecideOptions,
): Promise<void> {
  const client = connect(options);
  const body = { decision, ...(note === undefined ? {} : { note }) };
  const data = await (kind === 'delivery'
    ? decideDelivery(client, { identifier: app, delivery_id: id }, body)
    : decideCampaign(client, { identifier: app, campaign_id: id }, body));
  if (options.json === true) return printJson(data);
  print(`${data.name} is ${decision}d.`);
}

interface Decided {
  readonly decision: 'approve' | 'decline';
  readonly note?: string;
}

async function decideDelivery(
  client: BroadsideClient,
  path: { readonly identifier: string; readonly delivery_id: string },
  body: Decided,
) {
  const read = await bodyOf(client.GET(`${deliveries}/{delivery_id}`, { params: { path } }));
  const given = { ...body, version: read.data.changes };
  return (
    await bodyOf(client.POST(`${deliveries}/{delivery_id}/approval`, { params: { path }, body: given }))
  ).data;
}

async function decideCampaign(
  client: BroadsideClient,
  path: { readonly identifier: string; readonly campaign_id: string },
  body: Decided,
) {
  const read = await bodyOf(client.GET(`${campaigns}/{campaign_id}`, { params: { path } }));
  const given = { ...body, version: read.data.version };
  return (await bodyOf(client.POST(`${campaigns}/{campaign_id}/approval`, { params: { path }, body: given })))
    .data;
}

function kindOf(text: string): Kind {
  const kind = kinds.find((each) => each === text);
  if (kind === undefined) throw new InvalidArgumentError(`must be ${kinds.join(' or ')}.`);
  return kind;
}

function idOf(text: string): string {
  if (/^[1-9]\d{0,15}$/.test(text)) return text;
  throw new InvalidArgumentError('must be an id, a whole number.');
}
