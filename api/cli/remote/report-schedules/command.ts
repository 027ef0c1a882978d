import { readFileSync } from 'node:fs';
import { type Command, Option } from 'commander';
import { CliError } from '../../../../engine/kit/command-line/endings.ts';
import { print, printJson, printNote, say } from '../../../../engine/kit/command-line/terminal.ts';
import { idOf, withoutUndefined, zoneOf } from '../option-parsers.ts';
import { openReportingApi } from '../reporting-api.ts';
import { withReporting } from '../saved-reports/command.ts';
import { findSaved, reportToken, sendTo } from '../saved-reports/find.ts';
import { historyLines, type Run, type Schedule, scheduleLines, whenText } from './show.ts';

const help = `${reportToken}
A schedule makes a saved report and delivers its file: to a webhook, by e-mail to people of the organization, or into an
S3-compatible bucket. Its runs see what the token sees that made the schedule, or resumed it last.

Examples:
  broadside report-schedules add "Domains of last week" --cron "0 7 * * MON" --time-zone Europe/Berlin \\
    --format xlsx --email anna@news.example,ben@news.example
  broadside report-schedules add Yesterday --when-final --webhook https://hooks.news.example/reports
  broadside report-schedules add Yesterday --cron "30 6 * * *" --bucket https://s3.eu-central-1.amazonaws.com/reports \\
    --region eu-central-1 --key-id AKIAEXAMPLE --secret-file ./bucket-secret
  broadside report-schedules list
  broadside report-schedules history 5
  broadside report-schedules run 5
  broadside report-schedules run 5 --again 12
  broadside report-schedules pause 5
  broadside report-schedules resume 5
  broadside report-schedules remove 5`;

interface Shared {
  readonly reporting?: string;
  readonly json?: boolean;
}

export function addReportSchedulesCommand(program: Command): void {
  const schedules = program
    .command('report-schedules')
    .description(
      'Saved reports that are delivered by themselves: list, add, pause, resume, run, history, remove.',
    )
    .addHelpText('afterAll', help);
  const all = (name: string, description: string): Command =>
    withReporting(schedules.command(name).description(description));
  const one = (name: string, description: string): Command =>
    all(name, description).argument('<id>', 'the schedule', idOf);
  all('list', 'Lists them.').action(list);
  withScheduleOptions(
    all('add', 'Schedules a saved report.').argument('<report>', 'its name, or its id'),
  ).action(add);
  one('pause', 'Begins no run until it is resumed.').action((id, options) => change(id, 'pause', options));
  one('resume', 'Goes on, with the rights of your token.').action((id, options) =>
    change(id, 'resume', options),
  );
  one('run', 'Makes and delivers the report now.')
    .option('--again <run>', 'this failed run, for its days', idOf)
    .action(run);
  one('history', 'Lists its runs, the newest first: days, sizes, times, and why they failed.').action(
    history,
  );
  one('remove', 'Deletes it, with its history.').action(remove);
}

const withScheduleOptions = (command: Command): Command =>
  command
    .option('--cron <line>', 'when: minute, hour, day of the month, month, day of the week')
    .option('--time-zone <zone>', 'of --cron', zoneOf)
    .addOption(new Option('--when-final', 'once the days of the report are final').conflicts('cron'))
    .addOption(
      new Option('--format <format>', 'of the file')
        .choices(['csv', 'xlsx', 'parquet', 'ndjson', 'json'])
        .default('csv'),
    )
    .addOption(
      new Option('--email <addresses>', 'to people of the organization').conflicts(['webhook', 'bucket']),
    )
    .addOption(new Option('--webhook <url>', 'to this receiver').conflicts('bucket'))
    .option('--bucket <url>', 'into this bucket, below its path')
    .option('--region <region>', 'of the bucket (default: us-east-1)')
    .option('--key-id <id>', 'of a key that may put objects into it')
    .option('--secret-file <file>', 'with the secret of that key; - reads standard input');

interface AddOptions extends Shared {
  readonly cron?: string;
  readonly timeZone?: string;
  readonly whenFinal?: boolean;
  readonly format: string;
  readonly email?: string;
  readonly webhook?: string;
  readonly bucket?: string;
  readonly region?: string;
  readonly keyId?: string;
  readonly secretFile?: string;
}

const optionOf = {
  cron: '--cron',
  when_final: '--when-final',
  timezone: '--time-zone',
  webhook: '--webhook',
  email: '--email',
  bucket: '--bucket',
};

async function add(named: string, options: AddOptions): Promise<void> {
  const { cron, timeZone: timezone, whenFinal: when_final, format, email, webhook } = options;
  if (cron === undefined && when_final !== true)
    throw new CliError('say when: --cron "0 7 * * MON", or --when-final');
  if (email === undefined && webhook === undefined && options.bucket === undefined)
    throw new CliError('say where to: --email, --webhook or --bucket');
  const api = openReportingApi(options.reporting);
  const body = {
    saved_id: (await findSaved(api, named)).id,
    ...withoutUndefined({ cron, timezone, when_final, format }),
    ...(email === undefined ? {} : { email: { addresses: email.split(',').map((each) => each.trim()) } }),
    ...(webhook === undefined ? {} : { webhook: { url: webhook } }),
    ...bucketOf(options),
  };
  const answer = await sendTo<{ readonly data: Schedule & { readonly secret?: string } }>(
    api,
    ['POST', '/schedules'],
    { body, optionOf },
  );
  const { secret, ...data } = answer.data;
  if (options.json === true) return printJson(answer.data);
  print([`Schedule ${data.id}: "${data.saved_name}", ${whenText(data)}.`]);
  if (secret === undefined) return;
  printNote('The receiver checks signatures (Standard Webhooks) with this secret, which is shown once:');
  print(secret);
}

function bucketOf({ bucket: url, region, keyId: key_id, secretFile }: AddOptions): object {
  if (url === undefined) return {};
  if (key_id === undefined || secretFile === undefined)
    throw new CliError('a bucket needs --key-id and --secret-file');
  return { bucket: { url, ...withoutUndefined({ region }), key_id, secret: secretIn(secretFile) } };
}

function secretIn(file: string): string {
  try {
    return readFileSync(file === '-' ? 0 : file, 'utf8').trim();
  } catch (error) {
    throw new CliError(`cannot read --secret-file ${file}: ${(error as Error).message}`, { cause: error });
  }
}

async function list(options: Shared): Promise<void> {
  const { data, meta } = await sendTo<{
    readonly data: readonly Schedule[];
    readonly meta: { readonly available: boolean };
  }>(openReportingApi(options.reporting), ['GET', '/schedules']);
  if (options.json === true) return printJson(data);
  if (data.length > 0) print(scheduleLines(data));
  else print('Nothing is scheduled. "broadside report-schedules add REPORT" schedules a saved report.');
  if (!meta.available) printNote('The operator has not set up what schedules need: none of them runs.');
}

async function change(id: number, what: 'pause' | 'resume', options: Shared): Promise<void> {
  const api = openReportingApi(options.reporting);
  const { data } = await sendTo<{ readonly data: Schedule }>(api, ['POST', `/schedules/${id}/${what}`], {
    optionOf,
  });
  say(options.json, data, `Schedule ${id} ${what === 'pause' ? 'is paused' : `goes on, ${whenText(data)}`}.`);
}

async function run(id: number, options: Shared & { readonly again?: number }): Promise<void> {
  const api = openReportingApi(options.reporting);
  const path = `/schedules/${id}/runs${options.again === undefined ? '' : `/${options.again}`}`;
  const { data } = await sendTo<{ readonly data: readonly Run[] }>(api, ['POST', path]);
  say(
    options.json,
    data[0],
    `Run ${data[0]?.id} begins. "broadside report-schedules history ${id}" shows its end.`,
  );
}

async function history(id: number, options: Shared): Promise<void> {
  const api = openReportingApi(options.reporting);
  const { data } = await sendTo<{ readonly data: readonly Run[] }>(api, ['GET', `/schedules/${id}/runs`]);
  if (options.json === true) return printJson(data);
  if (data.length === 0) return print(`Schedule ${id} has not run yet.`);
  print(historyLines(data));
}

async function remove(id: number, options: Shared): Promise<void> {
  await sendTo(openReportingApi(options.reporting), ['DELETE', `/schedules/${id}`]);
  say(options.json, { id }, `Deleted schedule ${id} and its history.`);
}
