import { Gauge, type Registry } from 'prom-client';
import { resultOr } from '../../contract/concurrency/time-limit.ts';
import type { MetricEntry } from './metric-entry.ts';

/**
 * Gauges that are read when metrics are requested: a value written by a loop would freeze when the loop does. A
 * rejection, or a second's silence, omits the gauge then, and nothing else.
 */
const SAMPLE_TIMEOUT_MS = 1_000;

export const helpOf = ({ meaning, unit }: MetricEntry): string => `${meaning} Unit: ${unit}.`;

export function sampledGauge(
  registry: Registry,
  entry: MetricEntry,
): { readBy(read: () => Promise<number>): void } {
  let read: () => Promise<number | null> = async () => null;
  const gauge = new Gauge({
    name: entry.name,
    help: helpOf(entry),
    registers: [registry],
    collect: async () => {
      // A gauge without a label always has a value; this one is removed while its value is unknown.
      gauge.remove();
      const value = await resultOr(null, SAMPLE_TIMEOUT_MS, read);
      if (value !== null) gauge.set(value);
    },
  });
  return {
    readBy: (given) => {
      read = given;
    },
  };
}

export type ReadCounts<Name extends string> = () => Promise<Readonly<Partial<Record<Name, number>>>>;

/** Of an entry with one label. Names that are not read are 0, or left out where nobody knows their value. */
export function labelledGauge<Name extends string>(
  registry: Registry,
  entry: MetricEntry & { readonly labels: Readonly<Record<string, readonly Name[]>> },
  unread: 'zero' | 'left out' = 'zero',
): { readBy(read: ReadCounts<Name>): void } {
  const [[label, names] = ['', []]] = Object.entries(entry.labels);
  let read: () => Promise<Readonly<Partial<Record<Name, number>>> | null> = async () => null;
  const gauge = new Gauge({
    name: entry.name,
    help: helpOf(entry),
    labelNames: [label],
    registers: [registry],
    collect: async () => {
      gauge.reset();
      const counts = await resultOr(null, SAMPLE_TIMEOUT_MS, read);
      if (counts === null) return;
      for (const name of names) {
        const value = counts[name] ?? (unread === 'zero' ? 0 : null);
        if (value !== null) gauge.set({ [label]: name }, value);
      }
    },
  });
  return {
    readBy: (given) => {
      read = given;
    },
  };
}
