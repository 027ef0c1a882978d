import { type MetricEntry, none } from '../../adapters/telemetry/metric-entry.ts';

/** What the library for metrics shows of every process by itself, as far as a dashboard or an alert uses it. */
export const processEntries = {
  cpuSeconds: {
    name: 'process_cpu_seconds_total',
    kind: 'counter',
    unit: 'seconds',
    meaning: 'CPU time of the process, its threads included.',
    labels: none,
  },
  residentMemory: {
    name: 'process_resident_memory_bytes',
    kind: 'gauge',
    across: 'each',
    unit: 'bytes',
    meaning: 'Resident memory of the process, its threads included.',
    labels: none,
  },
  heapUsed: {
    name: 'nodejs_heap_size_used_bytes',
    kind: 'gauge',
    across: 'each',
    unit: 'bytes',
    meaning: 'Heap of the main thread that is in use.',
    labels: none,
  },
  eventLoopLag: {
    name: 'nodejs_eventloop_lag_p99_seconds',
    kind: 'gauge',
    across: 'each',
    unit: 'seconds',
    meaning:
      'How late the event loop of the main thread comes to its work, of a hundred times the worst but one.',
    labels: none,
  },
} as const satisfies Readonly<Record<string, MetricEntry>>;
