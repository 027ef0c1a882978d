import type { MetricEntry } from '../../../engine/adapters/telemetry/metric-entry.ts';
import { alerts } from '../../../engine/kit/monitoring/alerts.ts';
import { dashboardNames, dashboardOf } from '../../../engine/kit/monitoring/grafana.ts';
import { watched } from '../../../engine/kit/monitoring/promql.ts';

export interface DrawnPanel {
  readonly type: string;
  readonly title: string;
  readonly targets: readonly { readonly expr: string; readonly legendFormat: string }[];
}

/** As Grafana gets them. */
export const panelsOf = (name: (typeof dashboardNames)[number]): DrawnPanel[] =>
  (dashboardOf(name) as { panels: DrawnPanel[] }).panels.filter(({ type }) => type !== 'row');

/** Every expression of panels and alerts, with its place. */
export const expressions: readonly { readonly place: string; readonly expr: string }[] = [
  ...dashboardNames
    .flatMap(panelsOf)
    .flatMap(({ title, targets }) => targets.map(({ expr }) => ({ place: title, expr }))),
  ...alerts.map(({ name, expr }) => ({ place: name, expr })),
];

export const entries: readonly MetricEntry[] = Object.values(watched);

/** Name of a series → its metric: a histogram has three names. */
export function metricOf(series: string): MetricEntry | undefined {
  return entries.find(
    ({ name, kind }) =>
      name === series || (kind === 'histogram' && /^_(bucket|sum|count)$/.test(series.replace(name, ''))),
  );
}
