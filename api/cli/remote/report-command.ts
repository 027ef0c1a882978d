import { type Command, Option } from 'commander';
import { shownLines } from '../../../engine/contract/shown.ts';
import { CliError } from '../../../engine/kit/command-line/endings.ts';
import { printJson, rowsOut } from '../../../engine/kit/command-line/terminal.ts';
import { bodyOf } from './answer.ts';
import { wholeOf } from './option-parsers.ts';
import { daysOf, type PeriodOptions, withPeriodOptions } from './period-options.ts';
import { cancelJob, saveJob } from './report-job.ts';
import { optionOf, type QuestionOptions, questionOf, withQuestionOptions } from './report-question.ts';
import { answered, noReportingAt, openReportingApi } from './reporting-api.ts';
import { printRestatements } from './restatements.ts';
import { printReport, type Report } from './show-report.ts';

const help = `
The token comes from BROADSIDE_REPORT_TOKEN (the environment or .env); "broadside report-token issue" makes one. It decides
which domains and wholesalers the report is about. A user has 5 reports a minute: the command waits for the next one.

Dimensions: day, month, year, product, domain, subdomain, media_type, device, os, ad_unit, country, deal_id, deal_name,
deal_type. Metrics: impressions, earnings, ecpm, viewable, first_quartile, midpoint, third_quartile, complete.

Examples:
  broadside report
  broadside report --period yesterday --by domain,device --sort earnings --limit 20
  broadside report --period month-to-date --by day --compare previous_period
  broadside report --from 2026-01-01 --to 2026-01-31 --by ad_unit --filter country=DE,AT --filter device=mobile
  broadside report --period last-month --by day,domain --metric impressions,earnings --currency USD --csv > month.csv
  broadside report --period last-30-days --by country --json | jq .meta.complete_until
  broadside report --restatements
  broadside report --from 2025-01-01 --to 2026-12-31 --by day,domain,ad_unit --job ads.parquet
  broadside report --period last-month --by day,domain --job month.csv --include-sources

With --include-sources, month.csv gets month.csv.sources.json beside it; a spreadsheet has a second sheet, and Parquet
broadside.sources in its metadata.`;

interface ReportOptions extends PeriodOptions, QuestionOptions {
  readonly reporting?: string;
  readonly csv?: boolean;
  readonly json?: boolean;
  readonly job?: string;
  readonly jobId?: number;
  readonly cancelJob?: number;
  readonly includeSources?: boolean;
  readonly restatements?: boolean;
}

export function addReportCommand(program: Command): void {
  withQuestionOptions(
    program.command('report').description('Reports what ads earned, by day, domain and other dimensions.'),
    withPeriodOptions,
  )
    .option('--reporting <url>', 'where the reporting API is (default: BROADSIDE_REPORTING_URL)')
    .addOption(new Option('--csv', 'print CSV').conflicts('json'))
    .option('--json', 'print JSON')
    .addOption(
      new Option(
        '--job <file>',
        'make it in the background, for up to 24 months, and save it: .csv, .json, .ndjson, .parquet or .xlsx',
      ).conflicts(['csv', 'json']),
    )
    .option('--job-id <id>', 'with --job: save the result of this job, made before', wholeOf)
    .addOption(
      new Option('--cancel-job <id>', 'end a job and delete its result')
        .argParser(wholeOf)
        .conflicts(['csv', 'json', 'job', 'jobId']),
    )
    .addOption(
      new Option(
        '--include-sources',
        'add the loads, files and rates that the figures come from (with --json or --job)',
      ).conflicts('csv'),
    )
    .addOption(
      new Option('--restatements', 'list days that changed after they were reported').conflicts([
        'csv',
        'job',
      ]),
    )
    .addHelpText('after', help)
    .action(report);
}

async function report(options: ReportOptions): Promise<void> {
  const api = openReportingApi(options.reporting);
  if (options.cancelJob !== undefined) return cancelJob(api, options.cancelJob);
  if (options.restatements === true) return printRestatements(api, options.json === true);
  const { job, jobId } = options;
  if (job === undefined && jobId !== undefined)
    throw new CliError(`add --job FILE to save the result of job ${jobId} there`);
  if (job !== undefined) {
    const question = bodyOfReport(options);
    return saveJob(api, job, { question, optionOf, ...(jobId === undefined ? {} : { jobId }) });
  }
  if (options.includeSources === true && options.json !== true)
    throw new CliError('a table has no room for the sources of its figures: add --json, or --job FILE');
  const response = await api.send('POST', '/generate', {
    accept: acceptOf(options),
    body: bodyOfReport(options),
  });
  if (response.status === 404) throw noReportingAt(api.url);
  if (response.ok && options.csv === true) return printCsv(response);
  const data = (await bodyOf(answered(response), optionOf)) as unknown as Report;
  if (options.json === true) return printJson(data);
  printReport(data, options);
}

function bodyOfReport(options: ReportOptions): object {
  const { csv, job, includeSources } = options;
  return {
    ...questionOf(options),
    selectedDate: daysOf(options, options.timeZone),
    ...(includeSources === true ? { include: ['sources'] } : {}),
    ...(csv === true ? { format: 'csv' } : job === undefined ? { totals: true } : {}),
  };
}

export const acceptOf = ({ csv }: { readonly csv?: boolean }): string =>
  csv === true ? 'text/csv, application/json' : 'application/json';

/** As it comes: a report may have half a million rows. */
export async function printCsv(answer: Response): Promise<void> {
  const out = rowsOut();
  if (answer.body === null) return;
  for await (const part of answer.body.pipeThrough(new TextDecoderStream()))
    out.write(shownLines(part.replaceAll('\r', '')));
}
