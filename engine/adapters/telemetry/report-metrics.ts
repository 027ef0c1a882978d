import type { Registry } from 'prom-client';
import { counterOf, histogramOf } from './counters.ts';
import { metricRegister } from './metric-register.ts';
import {
  type brokenOffReasons,
  type jobEndings,
  reportStatuses,
  type wireEndings,
} from './reporting-entries.ts';
import { sampledGauge } from './sampled-gauges.ts';

/** Counts reports, once each. */
export interface ReportMetrics {
  answered(status: number, durationMs: number): void;
  /** ClickHouse's result. @param rows 0 where the format has no lines. */
  sent(bytes: number, rows: number): void;
  brokenOff(reason: (typeof brokenOffReasons)[number]): void;
  sampleInHand(read: () => number): void;
  /** Bytes that no client has read yet. */
  sampleUnread(read: () => number): void;
  jobEnded(ending: (typeof jobEndings)[number]): void;
  /** A statement of a client of Postgres. */
  wireEnded(ending: (typeof wireEndings)[number], milliseconds: number): void;
  sampleWire(read: () => number): void;
}

export function createReportMetrics(registry: Registry): ReportMetrics {
  const requests = counterOf(registry, metricRegister.reportRequests);
  const seconds = histogramOf(registry, metricRegister.reportSeconds);
  const bytesSent = counterOf(registry, metricRegister.reportBytes);
  const rowsSent = counterOf(registry, metricRegister.reportRows);
  const broken = counterOf(registry, metricRegister.reportsBrokenOff);
  const inHand = sampledGauge(registry, metricRegister.reportsInHand);
  const unread = sampledGauge(registry, metricRegister.reportUnreadBytes);
  const jobs = counterOf(registry, metricRegister.reportJobsEnded);
  const wireStatements = counterOf(registry, metricRegister.wireStatements);
  const wireSeconds = histogramOf(registry, metricRegister.wireSeconds);
  const wireConnections = sampledGauge(registry, metricRegister.wireConnections);
  return {
    answered: (status, durationMs) => {
      requests.inc({ status: reportStatuses.includes(String(status)) ? String(status) : 'other' });
      if (status === 200) seconds.observe(durationMs / 1_000);
    },
    sent: (bytes, rows) => {
      bytesSent.inc(bytes);
      rowsSent.inc(rows);
    },
    brokenOff: (reason) => broken.inc({ reason }),
    sampleInHand: (read) => inHand.readBy(async () => read()),
    sampleUnread: (read) => unread.readBy(async () => read()),
    jobEnded: (ending) => jobs.inc({ ending }),
    wireEnded: (ending, milliseconds) => {
      wireStatements.inc({ ending });
      if (ending === 'report') wireSeconds.observe(milliseconds / 1_000);
    },
    sampleWire: (read) => wireConnections.readBy(async () => read()),
  };
}
