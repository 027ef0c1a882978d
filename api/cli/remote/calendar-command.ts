import { type Command, InvalidArgumentError } from 'commander';
import { shown } from '../../../engine/contract/shown.ts';
import { CliError } from '../../../engine/kit/command-line/endings.ts';
import { print, printJson, printNote } from '../../../engine/kit/command-line/terminal.ts';
import type { Answer } from '../../http-client/client.ts';
import { bodyOf } from './answer.ts';
import { connect, type RemoteOptions, remoteHelp, withRemoteOptions } from './connection.ts';

type Entry = Answer<'/api/v1/client/apps/{identifier}/calendar', 'get'>['data']['entries'][number];

const help = `${remoteHelp}

Times are those of this machine's time zone.

Examples:
  broadside calendar --app news-k3x9qa
  broadside calendar --app news-k3x9qa --month
  broadside calendar --app news-k3x9qa --from 2026-12-24 --week --json`;

export function addCalendarCommand(program: Command): void {
  withRemoteOptions(
    program
      .command('calendar')
      .description('What was sent, what is scheduled, and what is expected, day by day.')
      .requiredOption('--app <identifier>', 'the app'),
  )
    .option('--from <date>', 'the first day (default: today)', dayOf)
    .option('--week', 'seven days (the default)')
    .option('--month', '31 days')
    .addHelpText('after', help)
    .action(show);
}

interface CalendarOptions extends RemoteOptions {
  readonly app: string;
  /** Its beginning here. */
  readonly from?: Date;
  readonly week?: boolean;
  readonly month?: boolean;
}

async function show({ app, from = startOfToday(), week, month, ...options }: CalendarOptions): Promise<void> {
  if (week === true && month === true) throw new CliError('Use either --week or --month, not both.');
  const until = new Date(from);
  until.setDate(until.getDate() + (month === true ? 31 : 7));
  const query = { from: from.toISOString(), until: new Date(until.getTime() - 1).toISOString() };
  const { data } = await bodyOf(
    connect(options).GET('/api/v1/client/apps/{identifier}/calendar', {
      params: { path: { identifier: app }, query },
    }),
  );
  if (options.json === true) return printJson(data);
  if (data.entries.length === 0) return print('Nothing is sent, scheduled or expected in these days.');
  print(agendaOf(data.entries));
  if (data.truncated) printNote('There are more: request fewer days.');
}

const days = new Intl.DateTimeFormat('en-GB', {
  weekday: 'short',
  day: 'numeric',
  month: 'short',
  year: 'numeric',
});
const clocks = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit' });
/** Fits 80 columns with what stands around it. */
const NAME_WIDTH = 36;

function agendaOf(entries: readonly Entry[]): string[] {
  const lines: string[] = [];
  let day = '';
  for (const entry of entries) {
    const at = new Date(entry.at);
    if (days.format(at) !== day) {
      day = days.format(at);
      lines.push(...(lines.length === 0 ? [] : ['']), day);
    }
    lines.push(`  ${clocks.format(at)}  ${fitted(entry.name)}  ${stateOf(entry)}`);
  }
  return lines;
}

function fitted(name: string): string {
  const text = shown(name);
  return (text.length > NAME_WIDTH ? `${text.slice(0, NAME_WIDTH - 1)}…` : text).padEnd(NAME_WIDTH);
}

function stateOf({ kind, id, status, approval, success_count: sent, by_reader: byReader }: Entry): string {
  const where = kind === 'delivery' ? `delivery ${id}` : `campaign ${id}`;
  const local = byReader ? ', local time' : '';
  if (approval === 'waiting' || approval === 'declined') return `${where}: waiting for approval${local}`;
  if (kind === 'firing') return `${where}: expected${local}`;
  return sent === null
    ? `${where}: scheduled${local}`
    : `${where}: ${status}, ${sent.toLocaleString('en-US')}`;
}

function startOfToday(): Date {
  const today = new Date();
  today.setHours(0, 0, 0, 0);
  return today;
}

function dayOf(text: string): Date {
  const [, year, month, day] = /^(\d{4})-(\d{2})-(\d{2})$/.exec(text) ?? [];
  const date = new Date(Number(year), Number(month) - 1, Number(day));
  if (Number.isNaN(date.getTime()) || date.getDate() !== Number(day))
    throw new InvalidArgumentError('must be a date, such as 2026-01-31.');
  return date;
}
