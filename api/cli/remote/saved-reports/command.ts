import { type Command, Option } from 'commander';
import { relativePeriods } from '../../../../engine/contract/relative-days.ts';
import { CliError } from '../../../../engine/kit/command-line/endings.ts';
import { print, printJson, say } from '../../../../engine/kit/command-line/terminal.ts';
import { tableOf } from '../../table.ts';
import { bodyOf } from '../answer.ts';
import { dayOf } from '../period-options.ts';
import { acceptOf, printCsv } from '../report-command.ts';
import { saveJob } from '../report-job.ts';
import { optionOf, type QuestionOptions, questionOf, withQuestionOptions } from '../report-question.ts';
import { answered, openReportingApi, type ReportingApi } from '../reporting-api.ts';
import { printReport, type Report } from '../show-report.ts';
import { findSaved, listSaved, reportToken, type SavedReport, sendTo } from './find.ts';

const help = `${reportToken}
A saved report is a question that everybody of the organization can ask again: each sees the rows of their own token. Its
days move with the calendar. <report> is its name, or its id. "broadside report-schedules" delivers it by itself.

Examples:
  broadside saved-reports save "Domains of last week" --period last-week --by domain --metric impressions,earnings
  broadside saved-reports save "Phones" --period month-to-date --by day --filter device=mobile --time-zone Europe/Berlin
  broadside saved-reports save "Phones" --replace --period last-month --by day --filter device=mobile
  broadside saved-reports list
  broadside saved-reports show Phones
  broadside saved-reports run "Domains of last week"
  broadside saved-reports run phones --csv > phones.csv
  broadside saved-reports run phones --job phones.parquet
  broadside saved-reports remove Phones`;

interface Shared {
  readonly reporting?: string;
  readonly json?: boolean;
}

export const withReporting = (command: Command): Command =>
  command
    .option('--reporting <url>', 'where the reporting API is (default: BROADSIDE_REPORTING_URL)')
    .option('--json', 'print JSON');

const periods = relativePeriods.map((period) => period.replaceAll('_', '-'));
const withMovingDays = (command: Command): Command =>
  command
    .addOption(
      new Option('--period <days>', 'which days, as the calendar moves (default: last-7-days)')
        .choices(periods)
        .conflicts(['from', 'to']),
    )
    .option('--from <date>', 'the first day, instead of --period: these days do not move', dayOf)
    .option('--to <date>', 'the last day', dayOf);

export function addSavedReportsCommand(program: Command): void {
  const saved = program
    .command('saved-reports')
    .description('Reports that the organization keeps by name: list, show, save, run, remove.')
    .addHelpText('afterAll', help);
  const add = (name: string, description: string): Command =>
    withReporting(saved.command(name).description(description));
  add('list', 'Lists them.').action(list);
  add('show', 'Shows the question, with its days as they are now.').argument('<report>').action(show);
  withQuestionOptions(add('save', 'Saves a question by a name.').argument('<name>'), withMovingDays)
    .option('--replace', 'change the one of this name; its schedules go on with the new question')
    .action(save);
  add('run', 'Makes the report.')
    .argument('<report>')
    .addOption(new Option('--csv', 'print CSV').conflicts('json'))
    .addOption(
      new Option(
        '--job <file>',
        'make it in the background and save it, as "broadside report" does',
      ).conflicts(['csv', 'json']),
    )
    .action(run);
  add('remove', 'Deletes one, with its schedules.').argument('<report>').action(remove);
}

async function list(options: Shared): Promise<void> {
  const all = await listSaved(openReportingApi(options.reporting));
  if (options.json === true) return printJson(all);
  if (all.length === 0)
    return print('Nothing is saved. "broadside saved-reports save NAME" keeps a question.');
  print(tableOf(['ID', 'NAME', 'DAYS', 'TIME ZONE', 'BY', 'METRICS', 'MADE BY'], all.map(cellsOf)));
}

const daysText = ({ period, request: { selectedDate } }: SavedReport): string =>
  period?.replaceAll('_', '-') ?? selectedDate.join(' to ');
const makerText = ({ made_by }: Pick<SavedReport, 'made_by'>): string => made_by ?? 'a deleted account';

function cellsOf(saved: SavedReport): string[] {
  const { id, name, request } = saved;
  const { timezone = 'UTC', dimensions = [], metrics } = request;
  return [
    String(id),
    name,
    daysText(saved),
    timezone,
    dimensions.join(', '),
    metrics.join(', '),
    makerText(saved),
  ];
}

async function show(named: string, options: Shared): Promise<void> {
  const saved = await findSaved(openReportingApi(options.reporting), named);
  const [first, last] = saved.request.selectedDate;
  say(options.json, saved, [
    `${saved.name} (${saved.id}), saved by ${makerText(saved)}`,
    `  ${'days'.padEnd(FIELD_WIDTH)} ${saved.period === null ? '' : `${daysText(saved)}: now `}${first === last ? first : `${first} to ${last}`}`,
    ...Object.entries(saved.request)
      .filter(([field]) => field !== 'selectedDate')
      .map(
        ([field, value]) =>
          `  ${field.padEnd(FIELD_WIDTH)} ${Array.isArray(value) && value.every(isText) ? value.join(', ') : textOf(value)}`,
      ),
  ]);
}
/** `filter_groups` */
const FIELD_WIDTH = 13;
const isText = (value: unknown): boolean => typeof value === 'string';
const textOf = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value));

interface SaveOptions extends Shared, QuestionOptions {
  readonly period?: string;
  readonly from?: string;
  readonly to?: string;
  readonly replace?: boolean;
}

async function save(name: string, options: SaveOptions): Promise<void> {
  const api = openReportingApi(options.reporting);
  const { period = 'last-7-days', from, to } = options;
  if ((from === undefined) !== (to === undefined))
    throw new CliError('give both --from and --to, or --period');
  const days = from === undefined ? { period: period.replaceAll('-', '_') } : { selectedDate: [from, to] };
  const body = { name, ...questionOf(options), ...days };
  const place =
    options.replace === true
      ? (['PUT', `/saved/${(await findSaved(api, name)).id}`] as const)
      : (['POST', '/saved'] as const);
  const names = { ...optionOf, name: 'the name', period: '--period' };
  const { data } = await sendTo<{ readonly data: SavedReport }>(api, place, { body, optionOf: names });
  say(options.json, data, `Saved "${data.name}" (${data.id}).`);
}

interface RunOptions extends Shared {
  readonly csv?: boolean;
  readonly job?: string;
}

async function run(named: string, options: RunOptions): Promise<void> {
  const api: ReportingApi = openReportingApi(options.reporting);
  const { request } = await findSaved(api, named);
  if (options.job !== undefined) return saveJob(api, options.job, { question: request, optionOf });
  const format = options.csv === true ? { format: 'csv' } : { format: 'json', totals: true };
  const response = await api.send('POST', '/generate', {
    accept: acceptOf(options),
    body: { ...request, ...format },
  });
  if (response.ok && options.csv === true) return printCsv(response);
  const data = (await bodyOf(answered(response), optionOf)) as unknown as Report;
  if (options.json === true) return printJson(data);
  const { dimensions: by = [], metrics: metric, compare_to: compare } = request;
  printReport(data, { by, metric, ...(compare === undefined ? {} : { compare }) });
}

async function remove(named: string, options: Shared): Promise<void> {
  const api = openReportingApi(options.reporting);
  const { id, name } = await findSaved(api, named);
  await sendTo(api, ['DELETE', `/saved/${id}`]);
  say(options.json, { id }, `Deleted "${name}" and its schedules.`);
}
