import type { MetricEntry } from '../../adapters/telemetry/metric-entry.ts';
import { metricRegister } from '../../adapters/telemetry/metric-register.ts';
import { processEntries } from './process-entries.ts';

/** All metrics that expressions may use. An expression names one by its key, so it follows when the metric is renamed. */
export const watched = { ...metricRegister, ...processEntries } as const;
export type MetricKey = keyof typeof watched;

type Labels<Key extends MetricKey> = (typeof watched)[Key]['labels'];
/** Values of labels as the register has them; a list: any of these. */
export type Matchers<Key extends MetricKey> = {
  readonly [Label in keyof Labels<Key>]?: Labels<Key>[Label] extends readonly (infer Value)[]
    ? Value | readonly Value[]
    : never;
};

/** The series of a metric: `broadside_log_lag_messages{topic="outcomes"}`. @param more matchers of the place alone. */
export function seriesOf<Key extends MetricKey>(key: Key, matchers: Matchers<Key> = {}, more = ''): string {
  const own = Object.entries(matchers as Record<string, string | readonly string[]>).map(matcherOf);
  const all = [...own, more].filter((matcher) => matcher !== '');
  return all.length === 0 ? watched[key].name : `${watched[key].name}{${all.join(',')}}`;
}

const matcherOf = ([label, value]: [string, string | readonly string[]]): string =>
  typeof value === 'string' ? `${label}="${value}"` : `${label}=~"${value.join('|')}"`;

export const entryOf = (key: MetricKey): MetricEntry => watched[key];
