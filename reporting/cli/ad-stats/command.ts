import { type Command, InvalidArgumentError, Option } from 'commander';
import { zoneName } from '../../../engine/contract/time-zone.ts';
import { withDatabase } from '../../../engine/kit/command-line/database.ts';
import { CliError } from '../../../engine/kit/command-line/endings.ts';
import { readDatabaseConfig } from '../../../engine/kit/command-line/settings.ts';
import { printNote } from '../../../engine/kit/command-line/terminal.ts';
import { readStatisticsConfig } from '../../config.ts';
import { noteDayZone } from '../../ingest/ad-loads.ts';
import type { SourceSettings } from '../../ingest/ad-source-settings.ts';
import { addDayCommands } from './day-commands.ts';
import { importFiles } from './import.ts';
import { addReadingOptions, databaseOption, type GivenReading, readingOptions, sourceOf } from './options.ts';
import { ownAccount } from './own-account.ts';
import type { ImportOptions } from './part.ts';
import { addSourceCommand } from './source-command.ts';

interface GivenOptions extends GivenReading {
  readonly source: string;
  readonly restate?: boolean | readonly string[];
  readonly completeUntil?: Date;
  readonly complete?: boolean;
  readonly final?: boolean;
  readonly changeFinal?: boolean;
  readonly maxBad?: number;
  readonly strict?: boolean;
  readonly rejects?: string;
  readonly dryRun?: boolean;
  readonly json?: boolean;
  readonly database?: string;
}

const help = `
CSV (commas, semicolons, tabs or pipes; lines before the header are ignored), NDJSON (one object a line), JSON (a
list of objects, also inside of another one), a spreadsheet (.xlsx) or Parquet; text also as .gz or .zst, and files of all
kinds in a .zip. Rows of totals at the end are left out and counted.
Columns, by these names in any case, by --map, or by the names that a network has for them (--profile):
  at, or day           required: YYYY-MM-DD, or the start of the hour in ISO 8601 (UTC unless it names an offset, or
                       --zone says another zone), or a date in another form that can be read in one way alone;
                       a day alone is one in the zone of its source (broadside ad-stats day-zone). Where all times of
                       the files are midnights they are days too, unless you say --grain hour
  hour                 of the day, where it is in a column of its own: 0 to 23
  product domain subdomain media_type device os ad_unit country deal_id deal_name deal_type wholesaler
                       texts of at most 255 bytes; empty: not known
  impressions viewable first_quartile midpoint third_quartile complete
                       whole numbers; empty: 0
  earnings             a decimal; more than 8 decimals are rounded, half away from zero
  currency             ISO 4217; empty: --currency
Amounts are read as exact decimals, from text as it is written. A double in Parquet is its shortest text. Decimal commas,
marks of thousands, signs of money and "-" are read; what all values of a file leave open is refused, with the readings
that there are (--dates, --decimal, --currency).

What these options say, a source can remember: broadside ad-stats source set gam --profile gam --currency EUR

A bad row is reported with its line (Parquet: its row number) and set aside, up to --max-bad; the others are imported.
The same holds for a row over 64 KB, and for one that is not UTF-8 (--encoding latin1 reads files of older systems). A
quote that does not close within 100 lines ends the import: nothing of the file is imported, and the message names its
line.

All files of a command are imported as one whole or not at all: their rows appear in reports at one moment. The same
file again has no effect; with other options it is refused. If an import is stopped in the middle, run it again.

--restate replaces: for each day (in the zone of the source) of which the files have rows, everything that --source reported before the import
began disappears at the moment the files appear. Name all files of a day in one command. --restate 2026-03-14 names the day
(or several, by commas): a file without rows of it empties the day, and rows of other days end the import.

--complete and --final say how certain the days of the files are; without them they are open. Reports tell it (meta.days),
and final days start what waits for them. Files that would change a final day are refused without --change-final.

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
    .option(...databaseOption)
    .addHelpText('after', zoneHelp)
    .action(setDayZone);
  addSourceCommand(adStats);
  addDayCommands(adStats);
  const command = adStats
    .command('import')
    .description('Imports ad statistics from files as ad networks send them.')
    .argument(
      '[files...]',
      'the files, taken together as a whole; - is standard input, whose --format must be named',
    )
    .addOption(
      new Option('--source <name>', 'the ad server that reported').default('import').argParser(sourceOf),
    );
  addReadingOptions(command)
    .option(
      '--restate [days]',
      'replace the source’s earlier data: of these days, or of those in the files',
      restated,
    )
    .option('--complete-until <time>', 'these files complete the data until this time (ISO 8601)', timeOf)
    .addOption(new Option('--complete', 'these files hold all of their days').conflicts('final'))
    .option('--final', 'the same, and the network changes nothing of them any more')
    .option('--change-final', 'change days that are final: a restatement')
    .option(
      '--max-bad <rows>',
      'with more bad rows nothing of a file is taken (default: 1000; restating: 0)',
      wholeOf,
    )
    .option('--strict', 'the same as --max-bad 0')
    .option('--rejects <file>', 'write every bad row there, with its reason (JSON lines)')
    .option('--dry-run', 'only preview the result: rows, sums, and days that have rows already')
    .option(...databaseOption)
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

async function importAdStats(named: readonly string[], given: GivenOptions): Promise<void> {
  const config = readStatisticsConfig(given.database);
  if (given.strict === true && given.maxBad !== undefined)
    throw new CliError('use either --strict or --max-bad, not both');
  const { files, days } = restatement(named, given.restate);
  if (files.length === 0)
    throw new CliError('name the files: broadside ad-stats import [options] <files...>');
  const isRestate = given.restate !== undefined;
  const optionsOf = (remembered: SourceSettings): ImportOptions => ({
    ...readingOptions(given, remembered),
    source: given.source,
    kind: isRestate ? 'restate' : 'append',
    onlyDays: days,
    completeUntil: given.completeUntil ?? null,
    says: given.final === true ? 'final' : given.complete === true ? 'complete' : null,
    mayChangeFinal: given.changeFinal === true,
    madeBy: ownAccount(),
    maxBad: given.strict === true ? 0 : (given.maxBad ?? (isRestate ? 0 : DEFAULT_MAX_BAD)),
    rejects: given.rejects,
    dryRun: given.dryRun === true,
    json: given.json === true,
  });
  const refused = await importFiles(config, files, {
    source: given.source,
    dryRun: given.dryRun === true,
    optionsOf,
  });
  if (refused > 0) process.exitCode = EXIT_REFUSED;
}

const DAYS = /^\d{4}-\d{2}-\d{2}(?:,\d{4}-\d{2}-\d{2})*$/;
const isDay = (day: string): boolean => {
  const time = new Date(`${day}T00:00:00Z`);
  return !Number.isNaN(time.getTime()) && time.toISOString().startsWith(day);
};

/** Its value may be missing, and what follows it is a file then. */
const restated = (value: string, before: boolean | readonly string[] = []): readonly string[] => [
  ...(typeof before === 'boolean' ? [] : before),
  value,
];

function restatement(
  named: readonly string[],
  given: GivenOptions['restate'] = [],
): { files: readonly string[]; days: readonly string[] | null } {
  const values = typeof given === 'boolean' ? [] : given;
  const days = values.filter((value) => DAYS.test(value)).flatMap((value) => value.split(','));
  const wrong = days.find((day) => !isDay(day));
  if (wrong !== undefined) throw new CliError(`--restate ${wrong} is not a day: name one as 2026-03-14`);
  const files = [...values.filter((value) => !DAYS.test(value)), ...named];
  return { files, days: days.length === 0 ? null : [...new Set(days)].toSorted() };
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
