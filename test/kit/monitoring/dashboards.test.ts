// tier: unit
import { Ajv } from 'ajv';
import { describe, expect, it } from 'vitest';
import { dashboardNames, dashboardOf } from '../../../engine/kit/monitoring/grafana.ts';
import { entries, expressions, metricOf, panelsOf } from './expressions.ts';
import { grafanaSchema } from './grafana-schema.ts';
import { readExpression } from './promql-names.ts';

const validate = new Ajv({ strictTuples: false, strictRequired: false, allErrors: true }).compile(
  grafanaSchema,
);
const problemsOf = (dashboard: unknown): string[] => {
  validate(dashboard);
  return (validate.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message}`);
};

/** Labels that Prometheus itself adds, and the one of a histogram. */
const everywhere = ['job', 'instance', 'le'];

/** @returns what the register does not know of it. */
function unknownIn(expr: string): string[] {
  const { series, groups } = readExpression(expr);
  const metrics = series.map(({ name }) => metricOf(name));
  const known = new Set([...everywhere, ...metrics.flatMap((metric) => Object.keys(metric?.labels ?? {}))]);
  return [
    ...series.filter((_one, index) => metrics[index] === undefined).map(({ name }) => name),
    ...groups.filter((label) => !known.has(label)),
    ...series.flatMap(({ name, labels }, index) =>
      Object.entries(labels).flatMap(([label, values]) => {
        if (everywhere.includes(label)) return [];
        const all = metrics[index]?.labels[label];
        if (all === undefined) return [`${name}{${label}}`];
        return (values ?? []).filter((value) => !all.includes(value)).map((value) => `${label}="${value}"`);
      }),
    ),
  ];
}

describe('the dashboards', () => {
  it.each(dashboardNames)('%s has the shape that Grafana reads', (name) => {
    const dashboard = structuredClone(dashboardOf(name)) as { schemaVersion?: number; panels: object[] };
    expect(problemsOf(dashboard)).toEqual([]);
    expect(dashboard.panels.length).toBeGreaterThan(10);
    const [panel = {}] = panelsOf(name);
    for (const field of ['datasource', 'fieldConfig', 'targets', 'gridPos', 'title']) {
      expect(problemsOf({ ...dashboard, panels: [{ ...panel, [field]: undefined }] }), field).not.toEqual([]);
    }
    delete dashboard.schemaVersion;
    expect(problemsOf(dashboard)).not.toEqual([]);
  });

  it.each(dashboardNames)('%s has panels that do not overlap, each with a number of its own', (name) => {
    const { panels } = dashboardOf(name) as {
      panels: { id: number; gridPos: { x: number; y: number; w: number; h: number } }[];
    };
    expect(new Set(panels.map(({ id }) => id)).size).toBe(panels.length);
    const cells = panels.flatMap(({ gridPos: { x, y, w, h } }) =>
      Array.from({ length: w * h }, (_cell, index) => `${x + (index % w)},${y + Math.floor(index / w)}`),
    );
    expect(new Set(cells).size).toBe(cells.length);
    expect(Math.max(...panels.map(({ gridPos: { x, w } }) => x + w))).toBe(24);
  });

  it('show every metric of the register', () => {
    const shown = dashboardNames
      .flatMap(panelsOf)
      .flatMap(({ targets }) => targets.flatMap(({ expr }) => readExpression(expr).series))
      .map(({ name }) => metricOf(name)?.name);
    expect(entries.map(({ name }) => name).filter((name) => !shown.includes(name))).toEqual([]);
  });

  it('have a legend only of labels that the metric has', () => {
    const unknown = dashboardNames.flatMap(panelsOf).flatMap(({ title, targets }) =>
      targets.flatMap(({ expr, legendFormat }) => {
        const labels = readExpression(expr).series.flatMap(({ name }) =>
          Object.keys(metricOf(name)?.labels ?? {}),
        );
        return [...legendFormat.matchAll(/\{\{(\w+)\}\}/g)]
          .map(([, label = '']) => label)
          .filter((label) => label !== 'instance' && !labels.includes(label))
          .map((label) => `${title}: ${label}`);
      }),
    );
    expect(unknown).toEqual([]);
  });

  it('ask for the job that is chosen, in every series', () => {
    const panels = dashboardNames.flatMap(panelsOf);
    const series = panels.flatMap(({ targets }) =>
      targets.flatMap(({ expr }) => readExpression(expr).series),
    );
    expect(series.length).toBeGreaterThan(entries.length);
    expect(series.filter(({ labels }) => labels.job !== null)).toEqual([]);
  });
});

describe('the expressions of panels and alerts', () => {
  it.each(expressions)('$place reads only metrics and labels that the register has', ({ expr }) => {
    expect(readExpression(expr).series).not.toEqual([]);
    expect(unknownIn(expr)).toEqual([]);
  });

  it('would be refused with a metric, a label or a value that there is not', () => {
    expect(unknownIn('sum by (topic) (broadside_log_lag)')).toEqual(['broadside_log_lag', 'topic']);
    expect(unknownIn('max by (lane) (broadside_outbox_rows)')).toEqual(['lane']);
    expect(unknownIn('broadside_outbox_rows{topic="events"} > 1')).toEqual(['broadside_outbox_rows{topic}']);
    expect(unknownIn('broadside_log_lag_messages{topic=~"events|rumours"}')).toEqual(['topic="rumours"']);
  });
});
