import { collectDefaultMetrics, type Gauge, Registry } from 'prom-client';
import type { completedStatus } from '../../contract/delivery.ts';
import type { Outcome } from '../../contract/outcome.ts';
import type { PushService } from '../../contract/push-service.ts';
import type { Topic } from '../../contract/topics.ts';
import { counterOf, histogramOf } from './counters.ts';
import { createIngestMetrics, type IngestMetrics } from './ingest-metrics.ts';
import {
  type EncryptionBackend,
  type EngineState,
  type lateStages,
  metricRegister,
  type openShardStates,
  type openStatuses,
  type openTargetStates,
  type pausingStages,
  type shardEndings,
  type targetSources,
} from './metric-register.ts';
import { peakMemoryBytes } from './peak-memory.ts';
import { createReportMetrics, type ReportMetrics } from './report-metrics.ts';
import { labelledGauge, type ReadCounts, sampledGauge } from './sampled-gauges.ts';
import { createServiceMetrics, type ServiceMetrics } from './service-metrics.ts';

/** Counts per block or batch: one call a message would cost more than its share of I/O. */
export interface Metrics {
  deliveryCompleted(status: ReturnType<typeof completedStatus>): void;
  shardEnded(ending: (typeof shardEndings)[number]): void;
  attempts(service: PushService, outcome: Outcome, count: number): void;
  /** Of these, the ones that were never answered. */
  attemptsUnknown(service: PushService, count: number): void;
  blockEnded(durationMs: number): void;
  /** A block's answers of one push service. */
  answered(service: PushService, latenciesMs: readonly number[]): void;
  /** Reads the depth when metrics are requested; a rejection, or a second's silence, omits it then. */
  sampleOutboxRows(read: () => Promise<number>): void;
  sampleOutboxRefused(read: () => Promise<number>): void;
  sampleOutboxOldest(read: () => Promise<number>): void;
  sampleDeliveries(read: ReadCounts<(typeof openStatuses)[number]>): void;
  sampleLate(read: ReadCounts<(typeof lateStages)[number]>): void;
  sampleShards(read: ReadCounts<(typeof openShardStates)[number]>): void;
  sampleTargets(read: ReadCounts<(typeof openTargetStates)[number]>): void;
  sampleLogLag(read: ReadCounts<Topic>): void;
  /** Of the engine of this process. */
  sampleEngine(read: EngineSamples): void;
  sampleGovernors(read: () => GovernorSamples): void;
  /** @param durationMs from taking it from the log until ClickHouse acknowledged it. */
  recordBatch(rows: number, durationMs: number): void;
  blockFailed(): void;
  targetsRead(source: (typeof targetSources)[number]): void;
  workerThreadLost(): void;
  pushHostLeft(): void;
  backPressurePause(stage: (typeof pausingStages)[number]): void;
  /** Of the reporting API. */
  readonly reports: ReportMetrics;
  /** For the records taken from the log. */
  readonly ingest: IngestMetrics;
  /** Of what every role has: the servers it needs, disks, certificates; and the API's requests. */
  readonly service: ServiceMetrics;
  /** Everything in Prometheus' text format, the process's own CPU, memory and event loop included. */
  exposition(): Promise<Exposition>;
}

/** By push service. */
export type GovernorSamples = Readonly<
  Record<PushService, { readonly limit: number; readonly paused: number; readonly open: number }>
>;

export interface EngineSamples {
  state(): EngineState;
  shardsInHand(): number;
  /** Milliseconds in which nothing was sent though shards run; otherwise 0. */
  stillForMs(): number;
  workerUtilisation(): number;
  /** Null until the first thread runs. */
  encryption(): EncryptionBackend | null;
}

export interface Exposition {
  readonly contentType: string;
  readonly body: string;
}

/** Between two measurements of how late the event loop is. The library's own 10 ms cost an idle process a fifth of its CPU. */
const LAG_EVERY_MS = 100;
const lags = ['min', 'max', 'mean', 'p50', 'p90', 'p99'];

/** After a scrape the library begins to measure again: before it has, its least is this, its mean none, and all else 0. */
const NOT_MEASURED_SECONDS = 1e9;

/** The process's own. The library shows of a late timer its whole period; here the lateness alone, 0 where none was measured. */
function collectProcessMetrics(register: Registry): void {
  collectDefaultMetrics({ register, eventLoopMonitoringPrecision: LAG_EVERY_MS });
  // Node ends the whole process where it is asked for its handles, or its requests, while one of them is being freed
  // ("Assertion failed: !obj.IsEmpty()"). `nodejs_active_resources` says as much.
  for (const name of ['nodejs_active_handles', 'nodejs_active_requests'])
    for (const each of [name, `${name}_total`]) register.removeSingleMetric(each);
  for (const lag of lags) {
    // The gauge without a suffix sets all of these when it is collected, with labels first.
    const gauge = register.getSingleMetric(`nodejs_eventloop_lag_${lag}_seconds`) as Gauge;
    const show = (_labels: object | number, seconds?: number): void => {
      gauge.reset();
      const isMeasured = seconds !== undefined && seconds < NOT_MEASURED_SECONDS;
      gauge.inc(isMeasured ? Math.max(0, seconds - LAG_EVERY_MS / 1_000) : 0);
    };
    gauge.set = show;
  }
}

export function createMetrics(): Metrics {
  const registry = new Registry();
  collectProcessMetrics(registry);
  const counters = {
    deliveriesCompleted: counterOf(registry, metricRegister.deliveriesCompleted),
    shardsEnded: counterOf(registry, metricRegister.shardsEnded),
    attempts: counterOf(registry, metricRegister.attempts),
    attemptsUnknown: counterOf(registry, metricRegister.attemptsUnknown),
    recordBatches: counterOf(registry, metricRegister.recordBatches),
    recordRows: counterOf(registry, metricRegister.recordRows),
    blocksFailed: counterOf(registry, metricRegister.blocksFailed),
    workerThreadsLost: counterOf(registry, metricRegister.workerThreadsLost),
    pushHostsLeft: counterOf(registry, metricRegister.pushHostsLeft),
    backPressurePauses: counterOf(registry, metricRegister.backPressurePauses),
    targetReads: counterOf(registry, metricRegister.targetReads),
  };
  const recordSeconds = histogramOf(registry, metricRegister.recordSeconds);
  const blockSeconds = histogramOf(registry, metricRegister.blockSeconds);
  const outboxRows = sampledGauge(registry, metricRegister.outboxRows);
  const outboxRefused = sampledGauge(registry, metricRegister.outboxRefused);
  const outboxOldest = sampledGauge(registry, metricRegister.outboxOldest);
  const answerSeconds = histogramOf(registry, metricRegister.answerSeconds);
  const deliveriesOpen = labelledGauge(registry, metricRegister.deliveriesOpen);
  const deliveriesLate = labelledGauge(registry, metricRegister.deliveriesLate);
  const shardsOpen = labelledGauge(registry, metricRegister.shardsOpen);
  const targetsOpen = labelledGauge(registry, metricRegister.targetsOpen);
  const logLag = labelledGauge(registry, metricRegister.logLag);
  const engineState = labelledGauge(registry, metricRegister.engineState);
  const encryption = labelledGauge(registry, metricRegister.encryptionBackend);
  const governors = {
    limit: labelledGauge(registry, metricRegister.governorLimit),
    paused: labelledGauge(registry, metricRegister.governorPaused),
    open: labelledGauge(registry, metricRegister.governorOpen),
  };
  const sendingStill = sampledGauge(registry, metricRegister.sendingStill);
  const shardsInHand = sampledGauge(registry, metricRegister.shardsInHand);
  const workerUtilisation = sampledGauge(registry, metricRegister.workerUtilisation);
  sampledGauge(registry, metricRegister.peakMemory).readBy(async () => peakMemoryBytes());

  return {
    deliveryCompleted: (status) => counters.deliveriesCompleted.inc({ status }),
    shardEnded: (ending) => counters.shardsEnded.inc({ ending }),
    attempts: (service, outcome, count) => counters.attempts.inc({ push_service: service, outcome }, count),
    attemptsUnknown: (service, count) => counters.attemptsUnknown.inc({ push_service: service }, count),
    blockEnded: (durationMs) => blockSeconds.observe(durationMs / 1_000),
    answered: (service, latenciesMs) => {
      const child = answerSeconds.labels({ push_service: service });
      for (const latencyMs of latenciesMs) child.observe(latencyMs / 1_000);
    },
    sampleOutboxRows: outboxRows.readBy,
    sampleOutboxRefused: outboxRefused.readBy,
    sampleOutboxOldest: outboxOldest.readBy,
    sampleLate: deliveriesLate.readBy,
    sampleDeliveries: deliveriesOpen.readBy,
    sampleShards: shardsOpen.readBy,
    sampleTargets: targetsOpen.readBy,
    sampleLogLag: logLag.readBy,
    sampleEngine: (engine) => {
      engineState.readBy(async () => ({ [engine.state()]: 1 }));
      encryption.readBy(async () => {
        const backend = engine.encryption();
        return backend === null ? {} : { [backend]: 1 };
      });
      shardsInHand.readBy(async () => engine.shardsInHand());
      sendingStill.readBy(async () => engine.stillForMs() / 1_000);
      workerUtilisation.readBy(async () => engine.workerUtilisation());
    },
    sampleGovernors: (read) => {
      for (const field of ['limit', 'paused', 'open'] as const) {
        governors[field].readBy(async () =>
          Object.fromEntries(Object.entries(read()).map(([service, sample]) => [service, sample[field]])),
        );
      }
    },
    recordBatch: (rows, durationMs) => {
      recordSeconds.observe(durationMs / 1_000);
      counters.recordBatches.inc();
      counters.recordRows.inc(rows);
    },
    blockFailed: () => counters.blocksFailed.inc(),
    workerThreadLost: () => counters.workerThreadsLost.inc(),
    pushHostLeft: () => counters.pushHostsLeft.inc(),
    backPressurePause: (stage) => counters.backPressurePauses.inc({ stage }),
    targetsRead: (source) => counters.targetReads.inc({ source }),
    reports: createReportMetrics(registry),
    ingest: createIngestMetrics(registry),
    service: createServiceMetrics(registry),
    exposition: async () => ({ contentType: registry.contentType, body: await registry.metrics() }),
  };
}
