import type { Registry } from 'prom-client';
import { counterOf, histogramOf } from './counters.ts';
import { metricRegister } from './metric-register.ts';
import { labelledGauge, type ReadCounts } from './sampled-gauges.ts';
import type {
  Certificate,
  connectionStates,
  Dependency,
  Disk,
  StatusClass,
  Surface,
} from './service-entries.ts';

export interface DiskSpace {
  readonly freeBytes: number;
  readonly sizeBytes: number;
}
export type ReadDisks = () => Promise<Readonly<Partial<Record<Disk, DiskSpace>>>>;

/** Of every role, and of the API. */
export interface ServiceMetrics {
  /** Whether each answers now: 1 or 0. */
  sampleDependencies(read: ReadCounts<Dependency>): void;
  sampleConnections(read: ReadCounts<(typeof connectionStates)[number]>): void;
  sampleDisks(read: ReadDisks): void;
  /** Seconds since 1970. */
  sampleCertificates(read: ReadCounts<Certificate>): void;
  /** @param durationMs null where the answer was a stream. */
  answered(surface: Surface, status: StatusClass, durationMs: number | null): void;
}

export function createServiceMetrics(registry: Registry): ServiceMetrics {
  const dependencyUp = labelledGauge(registry, metricRegister.dependencyUp);
  const connections = labelledGauge(registry, metricRegister.postgresConnections);
  const diskFree = labelledGauge(registry, metricRegister.diskFree, 'left out');
  const diskSize = labelledGauge(registry, metricRegister.diskSize, 'left out');
  const certificateEnd = labelledGauge(registry, metricRegister.certificateEnd, 'left out');
  const requests = counterOf(registry, metricRegister.apiRequests);
  const seconds = histogramOf(registry, metricRegister.apiSeconds);
  return {
    sampleDependencies: dependencyUp.readBy,
    sampleConnections: connections.readBy,
    sampleDisks: (read) => {
      diskFree.readBy(async () => figures(await read(), 'freeBytes'));
      diskSize.readBy(async () => figures(await read(), 'sizeBytes'));
    },
    sampleCertificates: certificateEnd.readBy,
    answered: (surface, status, durationMs) => {
      requests.inc({ surface, status });
      if (durationMs !== null) seconds.observe({ surface }, durationMs / 1_000);
    },
  };
}

const figures = (
  read: Awaited<ReturnType<ReadDisks>>,
  field: keyof DiskSpace,
): Partial<Record<Disk, number>> =>
  Object.fromEntries(Object.entries(read).map(([disk, space]) => [disk, space[field]]));
