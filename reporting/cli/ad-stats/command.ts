import { type Command, InvalidArgumentError, Option } from 'commander';
import { AD_SOURCE_PATTERN } from '../../../engine/contract/ad-stats.ts';
import { currencies } from '../../../engine/contract/currencies.ts';
import { zoneName } from '../../../engine/contract/time-zone.ts';
import { withDatabase } from '../../../engine/kit/command-line/database.ts';
import { CliError } from '../../../engine/kit/command-line/endings.ts';
import { type ImportEncoding, importEncodings } from '../../../engine/kit/command-line/file/records.ts';
import { readDatabaseConfig } from '../../../engine/kit/command-line/settings.ts';
import { printNote } from '../../../engine/kit/command-line/terminal.ts';
import { readStatisticsConfig } from '../../config.ts';
import { noteDayZone } from '../../ingest/ad-loads.ts';
import type { Grain } from '../../ingest/grain.ts';
import { parseColumnRules } from './columns.ts';
import { type ImportOptions, importFiles } from './import-files.ts';
import { type AdStatsFormat, adStatsFormats } from './source.ts';

interface GivenOptions {
  readonly source: string;
  readonly format?: AdStatsFormat;
  readonly currency: string;
  readonly encoding: ImportEncoding;
  readonly map: readonly string[];
  readonly ignore: readonly string[];
  readonly grain?: Grain;
  readonly restate?: boolean;
  readonly completeUntil?: Date;
  readonly maxBad?: number;
  readonly strict?: boolean;
  readonly rejects?: string;
  readonly dryRun?: boolean;
  readonly json?: boolean;
  readonly database?: string;
}

const help = `
CSV (the first line names the columns), NDJSON (one object a line) or Parquet; CSV and NDJSON also as .gz or .zst.
Columns, by these names in any case, or by --map:
  at, or day           required: YYYY-MM-DD, or the start of the hour in ISO 8601 (UTC unless it names an offset);
                       a day alone is one in the zone of its source (broadside ad-stats day-zone). Where all times of
                       the files are midnights they are days too, unless you say --grain hour
  product domain subdomain media_type device os ad_unit country deal_id deal_name deal_type wholesaler
                       texts of at most 255 bytes; empty: not known
  impressions viewable first_quartile midpoint third_quartile complete
                       whole numbers; empty: 0
  earnings             a decimal; more than 8 decimals are rounded, half away from zero
  currency             ISO 4217; empty: --currency
Amounts are read as exact decimals, from text as it is written. A double in Parquet is its shortest text.

A bad row is reported with its line (Parquet: its row number) and set aside, up to --max-bad; the others are imported.
The same holds for a row over 64 KB, and for one that is not UTF-8 (--encoding latin1 reads files of older systems). A
quote that does not close within 100 lines ends the import: nothing of the file is imported, and the message names its
line.

All files of a command are imported as one whole or not at all: their rows appear in reports at one moment. The same
file again has no effect; with other options it is refused. If an import is stopped in the middle, run it again.

--restate replaces: for each day (in the zone of the source) of which the files have rows, everything that --source reported before the import
began disappears at the moment the files appear. Name all files of a day in one command.

--complete-until always holds what the last import said, so an earlier time corrects a wrong one.

Exit codes: 0 all rows are in, 1 error, 2 wrong command, 3 bad rows were set aside.

Examples:
  broadside ad-stats import --source gam stats-2026-03.parquet
  broadside ad-stats import --source prebid --currency USD \\
    --map "Date=day" --map "Site=domain" --map "Revenue (net)=earnings" --ignore "Fill rate,CTR" march.csv.gz
  grep -v '^#' march.csv | broadside ad-stats import --source prebid --format csv -
  broadside ad-stats import --source gam --restate --complete-until 2026-04-01T00:00:00Z corrected-march.ndjson`;

const zoneHelp = `
A day without an hour is a day in the zone of its source. A report in another timezone cannot divide such a day: it is
refused, or counts the source's whole days if the request says "source_days": true.

Examples:
  broadside ad-stats day-zone --source gam Europe/Berlin`;

export function addAdStatsCommand(program: Command): void {
  const adStats = program.command('ad-stats').description('Ad statistics, the data of reports.');
  adStats
    .command('day-zone <zone>')
    .description('Sets the timezone of a source’s rows without an hour; until then they are days in UTC.')
    .addOption(new Option('--source <name>', 'the ad server').makeOptionMandatory().argParser(sourceOf))
    .option('--database <url>', 'Postgres URL (default: DATABASE_URL, otherwise the one in DATA_FOLDER)')
    .addHelpText('after', zoneHelp)
    .action(setDayZone);
  adStats
    .command('import')
    .description('Imports ad statistics from CSV, NDJSON or Parquet.')
    .argument(
      '<files...>',
      'the files, taken together as a whole; - is standard input, whose --format must be named',
    )
    .addOption(
      new Option('--source <name>', 'the ad server that reported').default('import').argParser(sourceOf),
    )
    .addOption(new Option('--format <format>', 'instead of the file’s extension').choices(adStatsFormats))
    .addOption(new Option('--currency <code>', 'of rows that name none').default('EUR').argParser(currencyOf))
    .addOption(new Option('--encoding <name>', 'of CSV and NDJSON').choices(importEncodings).default('utf-8'))
    .option('--map <column=field>', 'maps a column to a field; may be repeated', collected, [])
    .option(
      '--ignore <columns>',
      'columns that are ignored, separated by commas; may be repeated',
      collected,
      [],
    )
    .addOption(
      new Option('--grain <grain>', 'what the times are (default: days where all are midnights)').choices([
        'day',
        'hour',
      ]),
    )
    .option('--restate', 'replace the source’s earlier data of the days in the file')
    .option('--complete-until <time>', 'these files complete the data until this time (ISO 8601)', timeOf)
    .option(
      '--max-bad <rows>',
      'with more bad rows nothing of a file is taken (default: 1000; restating: 0)',
      wholeOf,
    )
    .option('--strict', 'the same as --max-bad 0')
    .option('--rejects <file>', 'write every bad row there, with its reason (JSON lines)')
    .option('--dry-run', 'only preview the result')
    .option('--database <url>', 'Postgres URL (default: DATABASE_URL, otherwise the one in DATA_FOLDER)')
    .option('--json', 'print a JSON object for each file')
    .addHelpText('after', help)
    .action(importAdStats);
}

async function setDayZone(
  text: string,
  { source, database: url }: { readonly source: string; readonly database?: string },
): Promise<void> {
  const zone = zoneName(text);
  if (zone === null) throw new CliError(`"${text.slice(0, 64)}" is not a timezone such as Europe/Berlin`);
  await withDatabase(readDatabaseConfig(url), (database) => noteDayZone(database, source, zone));
  printNote(`Days of ${source} are days in ${zone}.`);
}

const DEFAULT_MAX_BAD = 1_000;
const EXIT_REFUSED = 3;

async function importAdStats(files: readonly string[], given: GivenOptions): Promise<void> {
  const config = readStatisticsConfig(given.database);
  if (given.strict === true && given.maxBad !== undefined)
    throw new CliError('use either --strict or --max-bad, not both');
  const restate = given.restate === true;
  const options: ImportOptions = {
    source: given.source,
    kind: restate ? 'restate' : 'append',
    format: given.format,
    currency: given.currency,
    columns: parseColumnRules(given.map, given.ignore),
    encoding: given.encoding,
    grain: given.grain ?? null,
    completeUntil: given.completeUntil ?? null,
    maxBad: given.strict === true ? 0 : (given.maxBad ?? (restate ? 0 : DEFAULT_MAX_BAD)),
    rejects: given.rejects,
    dryRun: given.dryRun === true,
    json: given.json === true,
  };
  const refused = await importFiles(config, files, options);
  if (refused > 0) process.exitCode = EXIT_REFUSED;
}

const collected = (value: string, before: readonly string[]): readonly string[] => [...before, value];

function sourceOf(text: string): string {
  if (new RegExp(AD_SOURCE_PATTERN).test(text)) return text;
  throw new InvalidArgumentError('1 to 64 letters, digits, dots, dashes and underscores.');
}

function currencyOf(text: string): string {
  if (currencies.has(text.toUpperCase())) return text.toUpperCase();
  throw new InvalidArgumentError('A code of ISO 4217, such as EUR.');
}

function timeOf(text: string): Date {
  const time = new Date(text);
  if (!/^\d{4}-\d{2}-\d{2}/.test(text) || Number.isNaN(time.getTime())) {
    throw new InvalidArgumentError('A time in ISO 8601, such as 2026-04-01T00:00:00Z.');
  }
  if (time.getTime() <= Date.now()) return time;
  throw new InvalidArgumentError(
    'It is in the future, so the data cannot be complete until then: give the end of the files’ data, or leave it out.',
  );
}

function wholeOf(text: string): number {
  if (/^\d{1,9}$/.test(text)) return Number(text);
  throw new InvalidArgumentError('A whole number.');
}
