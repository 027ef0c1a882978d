import { type Command, InvalidArgumentError, Option } from 'commander';
import { withDatabase } from '../../../engine/kit/command-line/database.ts';
import { CliError } from '../../../engine/kit/command-line/endings.ts';
import { readDatabaseConfig } from '../../../engine/kit/command-line/settings.ts';
import { say } from '../../../engine/kit/command-line/terminal.ts';
import { noteDayZone } from '../../ingest/ad-loads.ts';
import {
  listSourceSettings,
  noteSourceSettings,
  readSourceSettings,
  removeSourceSettings,
  type SourceSettings,
} from '../../ingest/ad-source-settings.ts';
import {
  addReadingOptions,
  databaseOption,
  type GivenReading,
  readingOptions,
  sourceOf,
  withoutUndefined,
} from './options.ts';

interface Given extends GivenReading {
  readonly database?: string;
  readonly json?: boolean;
  readonly finalAfter?: string;
}

const help = `
--final-after 3 makes each day final three days after its end (in the zone of the source), while the reporting role runs.

What is set here, an import with --source NAME needs not say. What an import says goes before it. --zone is also the zone
of the source's days (broadside ad-stats day-zone).

Examples:
  broadside ad-stats source set gam --profile gam --currency EUR --zone Europe/Berlin
  broadside ad-stats source set gam --final-after 3
  broadside ad-stats source set taboola --profile taboola --map "Partner=wholesaler"
  broadside ad-stats import --source gam report.xlsx`;

const example = (command: string): string => `
Examples:
  broadside ad-stats source ${command}`;

const json = ['--json', 'print JSON'] as const;

export function addSourceCommand(adStats: Command): void {
  const source = adStats
    .command('source')
    .description('What a source’s files look like, once and for all imports.');
  addReadingOptions(source.command('set <name>').description('Remembers how files of the source are read.'))
    .addOption(
      new Option(
        '--final-after <days>',
        'its days are final this many days after their end; "never" ends the rule',
      ).argParser(daysAfterOf),
    )
    .option(...databaseOption)
    .option(...json)
    .addHelpText('after', help)
    .action(setSource);
  source
    .command('show <name>')
    .description('Shows what is remembered of a source.')
    .option(...databaseOption)
    .option(...json)
    .addHelpText('after', example('show gam'))
    .action(showSource);
  source
    .command('list')
    .description('Lists the sources of which something is remembered.')
    .option(...databaseOption)
    .option(...json)
    .addHelpText('after', example('list'))
    .action(listSources);
  source
    .command('remove <name>')
    .description('Forgets how files of the source are read; its statistics stay.')
    .option(...databaseOption)
    .option(...json)
    .addHelpText('after', example('remove gam'))
    .action(removeSource);
}

async function setSource(text: string, given: Given): Promise<void> {
  const name = named(text);
  const { finalAfter } = given;
  const rule = finalAfter === undefined ? {} : { finalAfter };
  const said = { ...(withoutUndefined(given) as SourceSettings), ...rule };
  if (Object.keys(said).length === 0)
    throw new CliError('say what is to be remembered, such as --profile gam or --currency EUR');
  // As an import would, so that a wrong --map fails here.
  readingOptions(given, {});
  const kept = await withDatabase(readDatabaseConfig(given.database), async (sql) => {
    if (given.zone !== undefined) await noteDayZone(sql, name, given.zone);
    return noteSourceSettings(sql, name, said);
  });
  say(given.json, { source: name, ...kept }, [`${name} is read with ${optionsText(kept)}.`]);
}

async function showSource(text: string, given: Given): Promise<void> {
  const name = named(text);
  const kept = await withDatabase(readDatabaseConfig(given.database), (sql) => readSourceSettings(sql, name));
  if (Object.keys(kept).length === 0)
    throw new CliError(`nothing is remembered of ${name}: broadside ad-stats source set ${name} --profile …`);
  say(given.json, { source: name, ...kept }, [`${name}: ${optionsText(kept)}`]);
}

async function listSources(given: Given): Promise<void> {
  const all = await withDatabase(readDatabaseConfig(given.database), (sql) => listSourceSettings(sql));
  const lines = all.map(({ source, settings }) => `${source}: ${optionsText(settings)}`);
  const values = all.map(({ source, settings, changed_at }) => ({ source, ...settings, changed_at }));
  say(given.json, values, lines.length === 0 ? ['Nothing is remembered of any source.'] : lines);
}

async function removeSource(text: string, given: Given): Promise<void> {
  const name = named(text);
  const was = await withDatabase(readDatabaseConfig(given.database), (sql) =>
    removeSourceSettings(sql, name),
  );
  if (!was) throw new CliError(`nothing is remembered of ${name}`);
  say(given.json, { source: name, removed: true }, [`Forgot how files of ${name} are read.`]);
}

function daysAfterOf(text: string): string {
  if (text === 'never' || (/^\d{1,3}$/.test(text) && Number(text) <= MAX_DAYS_AFTER)) return text;
  throw new InvalidArgumentError(`A number of days from 0 to ${MAX_DAYS_AFTER}, or never.`);
}

const MAX_DAYS_AFTER = 400;

function named(text: string): string {
  try {
    return sourceOf(text);
  } catch (error) {
    throw new CliError(`"${text.slice(0, 64)}" is not a name of a source: ${(error as Error).message}`);
  }
}

const optionsText = (settings: SourceSettings): string =>
  Object.entries(settings)
    .flatMap(([name, value]) =>
      (Array.isArray(value) ? value : [value]).map(
        (each: unknown) => `--${optionName(name)} ${JSON.stringify(each)}`,
      ),
    )
    .join(' ');

const optionName = (name: string): string =>
  name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
