import { Counter, Histogram, type Registry } from 'prom-client';
import type { MetricEntry } from './metric-entry.ts';
import { helpOf } from './sampled-gauges.ts';

/** Every combination of labels starts at 0: a series that appears with its first event hides that event. */
export function counterOf(registry: Registry, entry: MetricEntry): Counter {
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

export function histogramOf(
  registry: Registry,
  entry: Extract<MetricEntry, { kind: 'histogram' }>,
): Histogram {
  const buckets = [...entry.bounds];
  const labelNames = Object.keys(entry.labels);
  const help = helpOf(entry);
  return new Histogram({ name: entry.name, help, labelNames, buckets, registers: [registry] });
}
