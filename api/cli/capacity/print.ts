import { counted } from '../../../engine/contract/counted.ts';
import { number, percentText } from '../../../engine/kit/command-line/numbers.ts';
import { BUSY_SHARE, type Forecast, messageUs } from './forecast.ts';
import { lateSeconds } from './limits.ts';
import type { MeasuredCosts } from './measured-costs.ts';

/** For people. */
export function linesOf(costs: MeasuredCosts, { question, ...found }: Forecast): string[] {
  const { engines, postgres, log, clickhouse } = found;
  const [first] = found.limits;
  const late = lateSeconds(found.limits);
  const rows: [string, string][] = [
    ['messages a second', number(Math.round(found.messagesPerSecond))],
    ['planning', `${rounded(found.planSeconds)} s of the ${number(question.seconds)} s`],
    [
      'engines',
      `${number(engines.count)} of ${counted(question.engineCores, 'core')} (${question.encryption}), ${rounded(engines.memoryGb)} GB of memory in all`,
    ],
    [
      'Postgres',
      `${number(postgres.cores)} cores, ${number(Math.round(postgres.transactionsPerSecond))} transactions a second, ${rounded(postgres.walMbPerSecond)} MB/s of its log, ${rounded(postgres.readersGb)} GB for the readers`,
    ],
    [
      'targets read',
      `${rounded(postgres.readMbPerSecond)} MB/s from ${sourceOf(question.replicas, postgres.replicaCores)}`,
    ],
    [
      'Kafka',
      `${number(log.brokers)} brokers, KAFKA_PARTITIONS=${log.partitions}, ${rounded(log.mbPerSecond)} MB/s before copies`,
    ],
    [
      'ClickHouse',
      `${number(clickhouse.cores)} cores, ${rounded(clickhouse.gbPerDelivery)} GB for each delivery`,
    ],
    [
      'CPU hours',
      `${rounded(found.cpuHours)} for each delivery (${rounded(messageUs(costs, question.encryption))} µs a message)`,
    ],
  ];
  const width = Math.max(...rows.map(([name]) => name.length));
  return [
    ...rows.map(([name, text]) => `${name.padEnd(width)}  ${text}`),
    '',
    `Breaks first: ${first.name}, at ${percentText(100 * first.used)} of what it can do. Then: ${first.remedy}.`,
    ...(late === null ? [] : [`So this takes about ${number(Math.ceil(late))} s.`]),
    `Measured on ${costs.date} on ${costs.machine}; cores are ${percentText(100 * BUSY_SHARE)} busy.`,
  ];
}

const sourceOf = (replicas: number, cores: number): string =>
  replicas === 0
    ? 'the primary'
    : `${number(replicas)} ${replicas === 1 ? 'replica' : 'replicas'} of ${number(cores)} cores`;

/** Two digits that mean something. */
export const rounded = (value: number): string =>
  value >= 100 ? number(Math.round(value)) : number(Number(value.toPrecision(2)));
