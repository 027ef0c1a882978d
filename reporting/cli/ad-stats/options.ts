import { type Command, InvalidArgumentError, Option } from 'commander';
import { AD_SOURCE_PATTERN, type AdField, adCountFields } from '../../../engine/contract/ad-stats.ts';
import { currencies } from '../../../engine/contract/currencies.ts';
import { zoneName } from '../../../engine/contract/time-zone.ts';
import type { SourceSettings } from '../../ingest/ad-source-settings.ts';
import type { Grain } from '../../ingest/grain.ts';
import { type ColumnRules, parseColumnRules } from './columns.ts';
import { profileNamed, profileNames } from './profiles.ts';
import type { Separator } from './reading/layout.ts';
import type { TextRules } from './reading/records.ts';
import { type AdStatsFormat, adStatsFormats } from './source.ts';
import { type DateOrder, dateOrders } from './values/date.ts';
import type { DecimalMark } from './values/number.ts';

/** How the files of a source are read: what the operator says, or the source remembers. */
export interface ReadingOptions {
  readonly format: AdStatsFormat | undefined;
  /** Of rows that name none; null: nobody says. */
  readonly currency: string | null;
  readonly columns: ColumnRules;
  readonly encoding: TextRules['encoding'];
  /** What its times are; null: found out, as all that follows. */
  readonly grain: Grain | null;
  readonly separator: Separator | null;
  readonly decimal: DecimalMark | null;
  readonly dates: DateOrder | null;
  readonly scale: Readonly<Partial<Record<AdField, string>>>;
  /** Whose the times without an offset are; null: UTC. */
  /** The names of those that this import was given; a source remembers the others. */
  readonly asked: readonly string[];
  readonly zone: string | null;
  /** Of a spreadsheet; null: the first one. */
  readonly sheet: string | null;
}

/** The same as a command's options. */
export interface GivenReading {
  readonly profile?: string;
  readonly format?: AdStatsFormat;
  readonly currency?: string;
  readonly map?: readonly string[];
  readonly ignore?: readonly string[];
  readonly encoding?: TextRules['encoding'];
  readonly grain?: Grain;
  readonly separator?: Separator;
  readonly decimal?: DecimalMark;
  readonly dates?: DateOrder;
  readonly scale?: readonly string[];
  readonly zone?: string;
  readonly sheet?: string;
}

export const databaseOption = [
  '--database <url>',
  'Postgres URL (default: DATABASE_URL, otherwise the one in DATA_FOLDER)',
] as const;

const encodings = ['utf-8', 'latin1', 'utf-16le', 'utf-16be'] as const;

export function addReadingOptions(command: Command): Command {
  return command
    .addOption(new Option('--profile <network>', 'what the network calls its columns').choices(profileNames))
    .addOption(new Option('--format <format>', 'instead of the file’s extension').choices(adStatsFormats))
    .addOption(new Option('--currency <code>', 'of rows that name none (default: EUR)').argParser(currencyOf))
    .addOption(new Option('--encoding <name>', 'of text (default: utf-8)').choices(encodings))
    .option('--map <column=field>', 'maps a column to a field; may be repeated', collected)
    .option('--ignore <columns>', 'columns that are ignored, separated by commas; may be repeated', collected)
    .addOption(
      new Option('--grain <grain>', 'what the times are (default: days where all are midnights)').choices([
        'day',
        'hour',
      ]),
    )
    .addOption(
      new Option('--separator <name>', 'of fields: comma, semicolon, tab or pipe').argParser(separatorOf),
    )
    .addOption(new Option('--decimal <mark>', 'before decimals: point or comma').argParser(markOf))
    .addOption(
      new Option('--dates <order>', 'of dates such as 03/04/2026: dmy, mdy or ymd').choices(dateOrders),
    )
    .option(
      '--scale <field=factor>',
      'multiplies figures, such as earnings=0.000001; may be repeated',
      scaled,
    )
    .addOption(new Option('--zone <zone>', 'of times without an offset (default: UTC)').argParser(zoneOf))
    .option('--sheet <name>', 'of a spreadsheet (default: the first one)');
}

/** What the operator says goes before what the source remembers. @throws CliError where columns are named wrongly. */
export function readingOptions(given: GivenReading, remembered: SourceSettings): ReadingOptions {
  const all: GivenReading = { ...(remembered as GivenReading), ...withoutUndefined(given) };
  const { map = [], ignore = [], scale = [], profile } = all;
  // Both lists grow: a column more is mapped, and those of the source stay.
  const maps = given.map === undefined ? map : [...(remembered.map ?? []), ...given.map];
  const ignored = given.ignore === undefined ? ignore : [...(remembered.ignore ?? []), ...given.ignore];
  return {
    format: all.format,
    currency: all.currency ?? null,
    columns: parseColumnRules(
      maps,
      ignored,
      profile === undefined ? null : profileNamed(profile),
      all.currency !== undefined,
    ),
    encoding: all.encoding ?? 'utf-8',
    grain: all.grain ?? null,
    separator: all.separator ?? null,
    decimal: all.decimal ?? null,
    dates: all.dates ?? null,
    scale: Object.fromEntries(scale.map((text) => text.split('='))),
    zone: all.zone ?? null,
    sheet: all.sheet ?? null,
    asked: Object.keys(withoutUndefined(given)),
  };
}

export const withoutUndefined = (given: GivenReading): GivenReading =>
  Object.fromEntries(
    readingNames.flatMap((name) => (given[name] === undefined ? [] : [[name, given[name]]])),
  );

const readingNames = [
  ...([
    'profile',
    'format',
    'currency',
    'map',
    'ignore',
    'encoding',
    'grain',
    'separator',
    'decimal',
  ] as const),
  ...(['dates', 'scale', 'zone', 'sheet'] as const),
];

const collected = (value: string, before: readonly string[] = []): readonly string[] => [...before, value];

export function sourceOf(text: string): string {
  if (new RegExp(AD_SOURCE_PATTERN).test(text)) return text;
  throw new InvalidArgumentError('1 to 64 letters, digits, dots, dashes and underscores.');
}

function currencyOf(text: string): string {
  if (currencies.has(text.toUpperCase())) return text.toUpperCase();
  throw new InvalidArgumentError('A code of ISO 4217, such as EUR.');
}

const separatorNames: Readonly<Record<string, Separator>> = {
  ...{ comma: ',', semicolon: ';', tab: '\t', pipe: '|' },
  ...{ ',': ',', ';': ';', '\t': '\t', '\\t': '\t', '|': '|' },
};

function separatorOf(text: string): Separator {
  const found = Object.hasOwn(separatorNames, text) ? separatorNames[text] : undefined;
  if (found !== undefined) return found;
  throw new InvalidArgumentError('One of comma, semicolon, tab and pipe.');
}

function markOf(text: string): DecimalMark {
  if (text === 'point' || text === '.') return '.';
  if (text === 'comma' || text === ',') return ',';
  throw new InvalidArgumentError('One of point and comma.');
}

function zoneOf(text: string): string {
  const zone = zoneName(text);
  if (zone !== null) return zone;
  throw new InvalidArgumentError('A timezone such as Europe/Berlin.');
}

const figures: readonly string[] = [...adCountFields, 'earnings'];
/** A decimal above zero: of a thousandth of a millionth, nothing is left of an amount. */
const FACTOR = /^(?:[1-9]\d{0,8}|\d{1,9}\.\d{1,12})$/;

function scaled(text: string, before: readonly string[] = []): readonly string[] {
  const [field = '', factor = ''] = text.split('=');
  if (figures.includes(field) && FACTOR.test(factor) && Number(factor) > 0 && text.split('=').length === 2)
    return [...before, `${field}=${factor}`];
  throw new InvalidArgumentError(`A field of ${figures.join(', ')} and a number, such as earnings=0.000001.`);
}
