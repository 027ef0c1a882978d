import type { Database } from '../adapters/postgres/database.ts';
import { readLate } from '../adapters/postgres/deliveries/late.ts';
import {
  countOpenDeliveries,
  countOpenShards,
  countOpenTargets,
} from '../adapters/postgres/deliveries/open-counts.ts';
import { countOutboxRows, countRefusedRows, readOutboxAge } from '../adapters/postgres/relay.ts';
import type { Metrics } from '../adapters/telemetry/metrics.ts';
import type { Log } from '../contract/log.ts';
import { failureCode, outcomes } from '../contract/outcome.ts';
import { pushServices } from '../contract/push-service.ts';
import { topics } from '../contract/topics.ts';
import type { BlockEnding } from '../dispatch/run-block.ts';

interface Depths {
  readonly metrics: Metrics;
  readonly database: Database;
  readonly log: Log;
}

/** Values read when metrics are requested: depths, which no counter keeps. */
export function sampleDepths({ metrics, database, log }: Depths): void {
  metrics.sampleOutboxRows(() => countOutboxRows(database));
  metrics.sampleOutboxRefused(() => countRefusedRows(database));
  metrics.sampleOutboxOldest(() => readOutboxAge(database));
  metrics.sampleLate(() => readLate(database));
  metrics.sampleDeliveries(() => countOpenDeliveries(database));
  metrics.sampleShards(() => countOpenShards(database));
  metrics.sampleTargets(() => countOpenTargets(database));
  metrics.sampleLogLag(async () => {
    const lags = await Promise.allSettled(
      topics.map(async (topic) => [topic, await log.lag(topic)] as const),
    );
    // A topic that the log keeps from us hides none of the others.
    const known = lags.flatMap((lag) => (lag.status === 'fulfilled' ? [lag.value] : []));
    if (known.length === 0) throw new Error('the log does not answer');
    return Object.fromEntries(known);
  });
}

/** Counted per block: a counter raised per message would cost more than the message's share of I/O. */
export function countBlock(metrics: Metrics, ending: BlockEnding, durationMs: number): void {
  if (ending.kind !== 'ended' || ending.sent === null) return;
  metrics.blockEnded(durationMs);
  const counts = new Map<number, number>();
  const unknown = pushServices.map(() => 0);
  const latencies = pushServices.map((): number[] => []);
  const { outcomes: codes, failures, services, statuses, latenciesMs } = ending.sent;
  for (let i = 0; i < codes.length; i++) {
    const service = services[i] as number;
    const key = service * outcomes.length + (codes[i] as number);
    counts.set(key, (counts.get(key) ?? 0) + 1);
    if (failures[i] === failureCode.unknown) unknown[service] = (unknown[service] ?? 0) + 1;
    if (statuses[i] !== 0) latencies[service]?.push(latenciesMs[i] as number);
  }
  for (const [key, count] of counts) {
    const service = pushServices[Math.floor(key / outcomes.length)] ?? 'other';
    const outcome = outcomes[key % outcomes.length] ?? 'unsent';
    metrics.attempts(service, outcome, count);
  }
  for (const [index, service] of pushServices.entries()) {
    const found = latencies[index] ?? [];
    if (found.length > 0) metrics.answered(service, found);
    metrics.attemptsUnknown(service, unknown[index] ?? 0);
  }
}
