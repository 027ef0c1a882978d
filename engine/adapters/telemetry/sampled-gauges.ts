import { Gauge, type Registry } from 'prom-client';
import type { MetricEntry } from './metric-register.ts';
import { withinTime } from './time-limit.ts';

/**
 * Gauges that are read at the time of asking: a value written by a loop would stand still when the loop does.
 * A rejection, or a second's silence, leaves the gauge out then, and nothing else.
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

/** What is not named is 0. */
export type ReadCounts<Name extends string> = () => Promise<Readonly<Partial<Record<Name, number>>>>;

/** Of an entry with one label. */
export function labelledGauge<Name extends string>(
  registry: Registry,
  entry: MetricEntry & { readonly labels: Readonly<Record<string, readonly Name[]>> },
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
      const counts = await withinTime(read, SAMPLE_TIMEOUT_MS, null);
      if (counts !== null) for (const name of names) gauge.set({ [label]: name }, counts[name] ?? 0);
    },
  });
  return {
    readBy: (given) => {
      read = given;
    },
  };
}
