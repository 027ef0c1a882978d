import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import type { completedStatus } from '../../contract/delivery.ts';
import type { Outcome } from '../../contract/outcome.ts';
import type { PushService } from '../../contract/push-service.ts';
import {
  type MetricEntry,
  metricRegister,
  type pausingStages,
  type shardEndings,
} from './metric-register.ts';
import { withinTime } from './time-limit.ts';

/** Counts what happens, per block or batch: one call a message would cost more than its share of I/O. */
export interface Metrics {
  deliveryCompleted(status: ReturnType<typeof completedStatus>): void;
  shardEnded(ending: (typeof shardEndings)[number]): void;
  attempts(service: PushService, outcome: Outcome, count: number): void;
  blockEnded(durationMs: number): void;
  /** How the depth is read when somebody asks; a rejection, or a second's silence, leaves it out then. */
  sampleOutboxRows(read: () => Promise<number>): void;
  recordBatch(rows: number): void;
  workerThreadLost(): void;
  backPressurePause(stage: (typeof pausingStages)[number]): void;
  /** Everything in Prometheus' text format, the process's own CPU, memory and event loop included. */
  exposition(): Promise<Exposition>;
}

export interface Exposition {
  readonly contentType: string;
  readonly body: string;
}

export function createMetrics(): Metrics {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const counters = {
    deliveriesCompleted: counterOf(registry, metricRegister.deliveriesCompleted),
    shardsEnded: counterOf(registry, metricRegister.shardsEnded),
    attempts: counterOf(registry, metricRegister.attempts),
    recordBatches: counterOf(registry, metricRegister.recordBatches),
    recordRows: counterOf(registry, metricRegister.recordRows),
    workerThreadsLost: counterOf(registry, metricRegister.workerThreadsLost),
    backPressurePauses: counterOf(registry, metricRegister.backPressurePauses),
  };
  const blockSeconds = histogramOf(registry, metricRegister.blockSeconds);
  const outboxRows = sampledGauge(registry, metricRegister.outboxRows);
  sampledGauge(registry, metricRegister.peakMemory).readBy(
    async () => process.resourceUsage().maxRSS * 1_024,
  );

  return {
    deliveryCompleted: (status) => counters.deliveriesCompleted.inc({ status }),
    shardEnded: (ending) => counters.shardsEnded.inc({ ending }),
    attempts: (service, outcome, count) => counters.attempts.inc({ push_service: service, outcome }, count),
    blockEnded: (durationMs) => blockSeconds.observe(durationMs / 1_000),
    sampleOutboxRows: outboxRows.readBy,
    recordBatch: (rows) => {
      counters.recordBatches.inc();
      counters.recordRows.inc(rows);
    },
    workerThreadLost: () => counters.workerThreadsLost.inc(),
    backPressurePause: (stage) => counters.backPressurePauses.inc({ stage }),
    exposition: async () => ({ contentType: registry.contentType, body: await registry.metrics() }),
  };
}

const helpOf = ({ meaning, unit }: MetricEntry): string => `${meaning} Unit: ${unit}.`;

/** Every combination of labels starts at 0: a series that appears with its first event hides that event. */
function counterOf(registry: Registry, entry: MetricEntry): Counter {
  const labelNames = Object.keys(entry.labels);
  const counter = new Counter({ name: entry.name, help: helpOf(entry), labelNames, registers: [registry] });
  for (const labels of combinations(entry.labels)) counter.inc(labels, 0);
  return counter;
}

function combinations(labels: MetricEntry['labels']): Record<string, string>[] {
  return Object.entries(labels).reduce<Record<string, string>[]>(
    (rows, [name, values]) => rows.flatMap((row) => values.map((value) => ({ ...row, [name]: value }))),
    [{}],
  );
}

function histogramOf(registry: Registry, entry: MetricEntry): Histogram {
  const buckets = [...(entry.bounds ?? [])];
  return new Histogram({ name: entry.name, help: helpOf(entry), buckets, registers: [registry] });
}

const SAMPLE_TIMEOUT_MS = 1_000;

/** Read at the time of asking: a value written by a loop would stand still when the loop does. */
function sampledGauge(registry: Registry, entry: MetricEntry): { readBy(read: () => Promise<number>): void } {
  let read: () => Promise<number | null> = async () => null;
  const gauge = new Gauge({
    name: entry.name,
    help: helpOf(entry),
    registers: [registry],
    collect: async () => {
      // A gauge without a label always has a value; this one is taken out where nobody knows it.
      gauge.remove();
      const value = await withinTime(read, SAMPLE_TIMEOUT_MS, null);
      if (value !== null) gauge.set(value);
    },
  });
  return {
    readBy: (given) => {
      read = given;
    },
  };
}
