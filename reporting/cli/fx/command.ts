import { hash } from 'node:crypto';
import { type Command, InvalidArgumentError, Option } from 'commander';
import { AD_SOURCE_PATTERN } from '../../../engine/contract/ad-stats.ts';
import { counted, pluralOf } from '../../../engine/contract/counted.ts';
import { type FxRate, MAX_RATES_PER_BATCH } from '../../../engine/contract/fx-rate.ts';
import { CliError } from '../../../engine/kit/command-line/endings.ts';
import { createRejects } from '../../../engine/kit/command-line/file/report.ts';
import { print, printJson } from '../../../engine/kit/command-line/terminal.ts';
import { readStatisticsConfig } from '../../config.ts';
import { type OpenStatistics, withStatistics } from '../statistics.ts';
import { openRates, type RateFormat, rateFormats } from './open-rates.ts';

interface FxOptions {
  readonly format?: RateFormat;
  readonly source: string;
  readonly rejects?: string;
  readonly json?: boolean;
}

const help = `
Units of a currency for 1 EUR, one rate a day. CSV or NDJSON (also as .gz, .zst or .zip) in these layouts:
  day,currency,per_eur        one rate a line
  Date,USD,JPY,…              one day a line; N/A or nothing: no rate

All files of the ECB are read as they come: eurofxref.zip and eurofxref-hist.zip, eurofxref-daily.xml and its
histories, and the CSV of its data portal (EXR.D.USD.EUR.SP00.A). The rates at which nine currencies became the euro
are known: HRK from 2023 and BGN from 2026 on, for instance, need no import.

A day without a rate uses the last one before it. For each day and currency the last import counts, so the same
file again changes nothing. A line that cannot be a rate (zero, negative, an unknown currency, a future day) is
reported with its number and left out.

Exit codes: 0 all rates were imported, 1 error, 2 wrong command, 3 some rates were refused.

Examples:
  broadside fx import eurofxref-hist.zip
  broadside fx import eurofxref-daily.xml
  broadside fx import --source treasury rates.ndjson`;

const EXIT_REFUSED = 3;

export function addFxCommand(program: Command): void {
  program
    .command('fx')
    .description('Exchange rates, by which reports convert earnings.')
    .command('import')
    .description('Imports daily rates from CSV, NDJSON or the ECB’s XML.')
    .argument('<file>', 'the file; - reads standard input')
    .addOption(new Option('--format <format>', 'instead of the file’s extension').choices(rateFormats))
    .addOption(new Option('--source <name>', 'the source of the rates').default('ecb').argParser(sourceOf))
    .option('--rejects <file>', 'write every refused line there, with its reason (JSON lines)')
    .option('--json', 'print the summary as one JSON object')
    .addHelpText('after', help)
    .action(importRates);
}

interface FxCounts {
  readonly rates: number;
  readonly refused: number;
  readonly currencies: number;
  readonly first_day: string | null;
  readonly last_day: string | null;
}

async function importRates(file: string, options: FxOptions): Promise<void> {
  const counts = await withStatistics(readStatisticsConfig(), (statistics) =>
    importFile(statistics, file, options),
  );
  if (counts.rates === 0) throw new CliError(`${file} holds no rate`);
  if (options.json === true) printJson({ file, ...counts });
  else print(lineOf(file, counts));
  if (counts.refused > 0) process.exitCode = EXIT_REFUSED;
}

const lineOf = (file: string, { rates, refused, currencies, first_day, last_day }: FxCounts): string =>
  `${counted(rates, 'rate')} of ${file} ${pluralOf(rates, 'is', 'are')} in: ${counted(currencies, 'currency', 'currencies')}, ${first_day} to ${last_day}` +
  `${refused === 0 ? '' : `, ${refused} refused`}.`;

async function importFile(
  { rates: store }: OpenStatistics,
  file: string,
  { format, source, rejects: rejectsFile }: FxOptions,
): Promise<FxCounts> {
  const now = new Date();
  await using found = await openRates(file, format, now.toISOString().slice(0, 10));
  const rejects = await createRejects(rejectsFile, [file]);
  const seen = createSeen();
  let refused = 0;
  let batches = 0;
  let batch: FxRate[] = [];
  const flush = async (): Promise<void> => {
    // Later lines are later statements: of two rates of one day the file's last one counts.
    if (batch.length > 0) await insert(store, batch, source, now.getTime() + batches++);
    batch = [];
  };
  try {
    for await (const lines of found.lines) {
      for (const { line, rates, refusals, raw } of lines) {
        for (const reason of refusals) await rejects.add({ line, reason, raw });
        refused += refusals.length;
        for (const rate of rates) seen.add(rate);
        batch.push(...rates);
        if (batch.length >= MAX_RATES_PER_BATCH) await flush();
      }
    }
    await flush();
  } finally {
    await rejects.close();
  }
  return { ...seen.counts(), refused };
}

function createSeen() {
  const currencies = new Set<string>();
  let rates = 0;
  let first: string | null = null;
  let last: string | null = null;
  return {
    add: ({ day, currency }: FxRate): void => {
      rates++;
      currencies.add(currency);
      if (first === null || day < first) first = day;
      if (last === null || day > last) last = day;
    },
    counts: () => ({ rates, currencies: currencies.size, first_day: first, last_day: last }),
  };
}

/** Stopped in between, some of the file is in: each rate is right by itself, and the file may come again. */
async function insert(
  store: OpenStatistics['rates'],
  rates: readonly FxRate[],
  source: string,
  statedAtMs: number,
): Promise<void> {
  const token = hash('sha256', JSON.stringify([source, statedAtMs, rates]), 'hex');
  const ending = await store.insertRates(rates, { source, statedAtMs, token });
  if (ending.kind === 'away') throw new CliError(`ClickHouse does not take the rates: ${ending.reason}`);
}

function sourceOf(text: string): string {
  if (new RegExp(AD_SOURCE_PATTERN).test(text)) return text;
  throw new InvalidArgumentError('1 to 64 letters, digits, dots, dashes and underscores.');
}
