import { type Command, InvalidArgumentError, Option } from 'commander';
import { wholeOf, zoneOf } from './option-parsers.ts';

/** What a report is about, except for its days. */
export interface QuestionOptions {
  readonly by: readonly string[];
  readonly metric: readonly string[];
  readonly filter?: readonly Filter[];
  readonly currency: string;
  readonly timeZone: string;
  readonly sort?: string;
  readonly limit?: number;
  readonly compare?: string;
  readonly sourceDays?: boolean;
}

/** @param withDays options of the period, which help shows behind what groups the rows. */
export const withQuestionOptions = (command: Command, withDays: (command: Command) => Command): Command =>
  withDays(
    command
      .option('--by <dimensions>', 'what groups the rows', listOf, ['day'])
      .option('--metric <metrics>', 'what they show', listOf, ['impressions', 'earnings', 'ecpm']),
  )
    .option('--filter <dimension=values>', 'only these; several options must all hold', collectFilter)
    .addOption(new Option('--currency <code>', 'of amounts').choices(['EUR', 'USD']).default('EUR'))
    .option('--time-zone <zone>', 'where days begin', zoneOf, 'UTC')
    .option('--source-days', 'count days of ad servers that have no hours as they are, in another time zone')
    .option('--sort <name>', 'by this dimension, from the first, or metric, from the most')
    .option('--limit <n>', 'how many rows', wholeOf)
    .addOption(
      new Option('--compare <period>', 'with another period').choices(['previous_period', 'previous_year']),
    );

interface Filter {
  readonly value: string;
  readonly type: 'dimension';
  readonly comparator: 'in';
  readonly selectedValues: readonly string[];
}

const listOf = (text: string): readonly string[] => text.split(',').map((each) => each.trim());

function collectFilter(text: string, before: readonly Filter[] = []): readonly Filter[] {
  const [, value, values] = /^(\w+)=(.+)$/s.exec(text) ?? [];
  if (value === undefined || values === undefined)
    throw new InvalidArgumentError('must be dimension=values, such as country=DE,AT.');
  return [...before, { value, type: 'dimension', comparator: 'in', selectedValues: listOf(values) }];
}

export const optionOf = {
  dimensions: '--by',
  metrics: '--metric',
  selectedDate: '--from and --to',
  filter_groups: '--filter',
  sort: '--sort',
  limit: '--limit',
  compare_to: '--compare',
  timezone: '--time-zone',
};

export function questionOf(options: QuestionOptions): object {
  const { by, metric, filter, currency, timeZone, sort, limit, compare, sourceDays } = options;
  return {
    dimensions: by,
    metrics: metric,
    currency,
    timezone: timeZone,
    ...(filter === undefined ? {} : { filter_groups: [{ operator: 'or', filters: filter }] }),
    ...(sort === undefined ? {} : { sort: [{ by: sort, direction: by.includes(sort) ? 'asc' : 'desc' }] }),
    ...(limit === undefined ? {} : { limit }),
    ...(compare === undefined ? {} : { compare_to: compare }),
    ...(sourceDays === true ? { source_days: true } : {}),
  };
}
