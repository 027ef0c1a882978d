import type { Registry } from 'prom-client';
import { counterOf, histogramOf } from './counters.ts';
import { metricRegister } from './metric-register.ts';
import type { IngestTopic } from './reporting-entries.ts';
import { labelledGauge, type ReadCounts } from './sampled-gauges.ts';

/** Counts the records that the reporting role takes from the log. */
export interface IngestMetrics {
  /** @param durationMs from taking it from the log until it counts. */
  taken(topic: IngestTopic, rows: number, durationMs: number): void;
  /** Bad rows of ad statistics. */
  setAside(rows: number): void;
  sampleLag(read: ReadCounts<IngestTopic>): void;
}

export function createIngestMetrics(registry: Registry): IngestMetrics {
  const batches = counterOf(registry, metricRegister.ingestBatches);
  const rowsTaken = counterOf(registry, metricRegister.ingestRows);
  const rowsSetAside = counterOf(registry, metricRegister.ingestSetAside);
  const seconds = histogramOf(registry, metricRegister.ingestSeconds);
  const lag = labelledGauge(registry, metricRegister.ingestLag);
  return {
    taken: (topic, rows, durationMs) => {
      batches.inc({ topic });
      rowsTaken.inc({ topic }, rows);
      seconds.observe({ topic }, durationMs / 1_000);
    },
    setAside: (rows) => rowsSetAside.inc(rows),
    sampleLag: lag.readBy,
  };
}
