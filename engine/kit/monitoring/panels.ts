import type { MetricEntry } from '../../adapters/telemetry/metric-entry.ts';
import { limits } from './limits.ts';
import { entryOf, type MetricKey, seriesOf } from './promql.ts';

/** What one panel shows, in our words; `grafana.ts` writes it as Grafana reads it. */
export interface Panel {
  readonly title: string;
  readonly description: string;
  readonly kind: 'lines' | 'figure';
  /** Grafana's name of it. */
  readonly unit: string;
  readonly axis?: string;
  readonly queries: readonly Query[];
  readonly limits?: Limits;
}

export interface Query {
  readonly expr: string;
  /** `{{label}}` is the value of a label. */
  readonly legend: string;
}

/** A figure beyond these is coloured; where `critical` is the lower one, a figure below them is. */
export interface Limits {
  readonly warning: number;
  readonly critical: number;
}

const limitsOf: Readonly<Partial<Record<MetricKey, Limits>>> = {
  deliveriesLate: limits.lateSeconds,
  outboxOldest: limits.outboxSeconds,
  logLag: limits.logLag,
  ingestLag: limits.logLag,
  dependencyUp: { warning: 1, critical: 0.5 },
};

const WINDOW = '$__rate_interval';

/** The panel of a metric that nobody has drawn one for: its kind, unit, labels and meaning say what to show. */
export function panelOf(key: MetricKey): Panel {
  const entry = entryOf(key);
  const found = limitsOf[key];
  return {
    title: titleOf(entry),
    description: entry.meaning,
    kind: 'lines',
    ...scaleOf(entry),
    queries: queriesOf(key, entry),
    ...(found === undefined ? {} : { limits: found }),
  };
}

/** `broadside_outbox_rows` → `Outbox rows`. */
function titleOf({ name, kind }: MetricEntry): string {
  const words = name
    .replace(/^(broadside|nodejs)_/, '')
    .replace(/_total$/, '')
    .replaceAll('_', ' ')
    .replace(/^api\b/, 'API');
  return `${words.charAt(0).toUpperCase()}${words.slice(1)}${kind === 'counter' ? ', a second' : ''}`;
}

const units: Readonly<Record<string, string>> = { seconds: 's', bytes: 'bytes', ratio: 'percentunit' };

function scaleOf({ kind, unit }: MetricEntry): Pick<Panel, 'unit' | 'axis'> {
  if (kind === 'counter') return { unit: unit === 'bytes' ? 'Bps' : 'short', axis: `${unit} / s` };
  return { unit: units[unit] ?? 'short', axis: unit };
}

const quantiles = { p50: 0.5, p99: 0.99 } as const;

function queriesOf(key: MetricKey, entry: MetricEntry): Query[] {
  const labels = Object.keys(entry.labels);
  const legend = labels.map((label) => `{{${label}}}`).join(' ');
  const by = labels.length === 0 ? '' : ` by (${labels.join(', ')})`;
  switch (entry.kind) {
    case 'counter':
      return [{ expr: `sum${by} (rate(${seriesOf(key)}[${WINDOW}]))`, legend: legend || 'all' }];
    case 'histogram':
      return Object.entries(quantiles).map(([name, quantile]) => ({
        expr: `histogram_quantile(${quantile}, sum by (${['le', ...labels].join(', ')}) (rate(${entry.name}_bucket[${WINDOW}])))`,
        legend: `${name} ${legend}`.trim(),
      }));
    case 'gauge': {
      if (entry.across === 'each') return [{ expr: seriesOf(key), legend: `{{instance}} ${legend}`.trim() }];
      const join = { sum: 'sum', least: 'min', most: 'max' }[entry.across];
      return [{ expr: `${join}${by} (${seriesOf(key)})`, legend: legend || 'all' }];
    }
  }
}
