import { number } from '../../../engine/kit/command-line/numbers.ts';
import { type EngineDefaults, type Forecast, forecast } from './forecast.ts';
import { lateSeconds } from './limits.ts';
import type { MeasuredCosts } from './measured-costs.ts';
import { rounded } from './print.ts';
import type { Question } from './question.ts';

const MINUTE = 60;
const MILLION = 1_000_000;

/** What publishers ask for; the last is the aim that one has published. */
const asked: readonly (readonly [readers: number, seconds: number])[] = [
  ...[1, 5, 10, 100].flatMap((millions) =>
    [1, 5, 15].map((minutes) => [millions * MILLION, minutes * MINUTE] as const),
  ),
  [5 * MILLION, 10],
];

const heads = [
  'readers',
  'in',
  'messages/s',
  'engines',
  'Postgres cores',
  'transactions/s',
  'targets MB/s',
  'readers GB',
  'brokers',
  'partitions',
  'ClickHouse cores',
  'CPU hours',
  'breaks first',
];

/** The usual questions as Markdown, as it stands in `engine/OPERATIONS.md`. */
export function overviewLines(
  costs: MeasuredCosts,
  question: Omit<Question, 'readers' | 'seconds'>,
  defaults: EngineDefaults,
): string[] {
  const rows = asked.map(([readers, seconds]) =>
    cellsOf(forecast(costs, { ...question, readers, seconds }, defaults)),
  );
  const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;
  const sides = heads.map((_, at) => (at === 1 || at === heads.length - 1 ? '---' : '---:'));
  return [line(heads), `|${sides.join('|')}|`, ...rows.map(line)];
}

function cellsOf({ question, engines, postgres, log, clickhouse, ...found }: Forecast): string[] {
  const [first] = found.limits;
  const late = lateSeconds(found.limits);
  return [
    number(question.readers),
    timeText(question.seconds),
    number(Math.round(found.messagesPerSecond)),
    number(engines.count),
    number(postgres.cores),
    number(Math.round(postgres.transactionsPerSecond)),
    rounded(postgres.readMbPerSecond),
    rounded(postgres.readersGb),
    number(log.brokers),
    number(log.partitions),
    number(clickhouse.cores),
    rounded(found.cpuHours),
    late === null
      ? `${first.name}, at ${usedText(first.used)}`
      : `**${first.name}: takes ${rounded(late)} s**`,
  ];
}

const usedText = (used: number): string => (used < 0.01 ? 'less than 1 %' : `${Math.round(100 * used)} %`);

const timeText = (seconds: number): string => (seconds < MINUTE ? `${seconds} s` : `${seconds / MINUTE} min`);
