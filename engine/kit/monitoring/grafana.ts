import { drawnPanels } from './drawn-panels.ts';
import { type Limits, type Panel, panelOf, type Query } from './panels.ts';
import { type MetricKey, watched } from './promql.ts';
import { type RowName, rowOf, rows } from './rows.ts';

/** Grafana's own number of its format; 10 and later read it, and newer ones bring it up to theirs. */
const SCHEMA_VERSION = 39;
/** Of the grid's 24 columns. */
const PANEL_WIDTH = 8;
const PANEL_HEIGHT = 8;
const GRID_WIDTH = 24;

const datasource = { type: 'prometheus', uid: '$datasource' } as const;

const titles = { engine: 'Broadside: engine', service: 'Broadside: service' } as const;
export const dashboardNames = Object.keys(titles) as DashboardName[];
export type DashboardName = keyof typeof titles;

export function dashboardOf(name: DashboardName): object {
  return {
    uid: `broadside-${name}`,
    title: titles[name],
    description: 'Made by "broadside watching" from the register of metrics.',
    ...{ schemaVersion: SCHEMA_VERSION, version: 1, id: null, editable: true, graphTooltip: 1 },
    ...{ tags: ['broadside'], timezone: 'browser', refresh: '30s' },
    time: { from: 'now-6h', to: 'now' },
    timepicker: {},
    fiscalYearStartMonth: 0,
    annotations: { list: [] },
    links: [],
    templating: { list: [datasourceVariable, jobVariable] },
    panels: laidOut(rowsOf(name)),
  };
}

const datasourceVariable = {
  ...{ name: 'datasource', label: 'Prometheus', type: 'datasource', query: 'prometheus' },
  ...{
    current: { text: 'default', value: 'default' },
    hide: 0,
    includeAll: false,
    multi: false,
    options: [],
    refresh: 1,
    regex: '',
  },
};

/** Of several installations in one Prometheus, one. */
const jobVariable = {
  ...{ name: 'job', label: 'Job', type: 'query', datasource },
  query: `label_values(${watched.dependencyUp.name}, job)`,
  current: { text: ['All'], value: ['$__all'] },
  ...{ hide: 0, includeAll: true, multi: true, allValue: '.*', options: [], refresh: 2, regex: '', sort: 1 },
};

interface Row {
  readonly title: string;
  readonly panels: readonly Panel[];
}

function rowsOf(dashboard: DashboardName): Row[] {
  const names = (Object.keys(rows) as RowName[]).filter((name) => rows[name].dashboard === dashboard);
  return names.map((name) => ({ title: rows[name].title, panels: panelsIn(name) }));
}

/** The drawn ones first, then each metric that none of them shows. */
function panelsIn(name: RowName): Panel[] {
  const shown = new Set(drawnPanels.flatMap(({ instead = [] }) => instead));
  const keys = (Object.keys(watched) as MetricKey[]).filter((key) => rowOf[key] === name && !shown.has(key));
  return [...drawnPanels.filter(({ row }) => row === name), ...keys.map(panelOf)];
}

/** Three panels beside each other, below the heading of their row. */
function laidOut(all: readonly Row[]): object[] {
  const laid: object[] = [];
  let y = 0;
  for (const { title, panels } of all) {
    laid.push({
      ...{ id: laid.length + 1, type: 'row', title, collapsed: false, panels: [] },
      gridPos: { x: 0, y: y++, w: GRID_WIDTH, h: 1 },
    });
    for (const [index, panel] of panels.entries()) {
      const x = (index * PANEL_WIDTH) % GRID_WIDTH;
      if (x === 0 && index > 0) y += PANEL_HEIGHT;
      laid.push({
        id: laid.length + 1,
        ...drawn(panel),
        gridPos: { x, y, w: PANEL_WIDTH, h: PANEL_HEIGHT },
      });
    }
    y += PANEL_HEIGHT;
  }
  return laid;
}

function drawn(panel: Panel): object {
  const { title, description, unit, queries } = panel;
  const isFigure = panel.kind === 'figure';
  return {
    type: isFigure ? 'stat' : 'timeseries',
    ...{ title, description, datasource },
    fieldConfig: {
      defaults: {
        unit,
        color: { mode: isFigure ? 'thresholds' : 'palette-classic' },
        thresholds: { mode: 'absolute', steps: stepsOf(panel.limits) },
        ...(isFigure ? {} : { min: 0, custom: linesOf(panel) }),
      },
      overrides: [],
    },
    options: isFigure ? figureOptions : lineOptions,
    targets: queries.map(targetOf),
  };
}

const linesOf = ({ axis = '', limits }: Panel): object => ({
  axisLabel: axis,
  ...{ drawStyle: 'line', lineWidth: 1, fillOpacity: 10, showPoints: 'never', spanNulls: false },
  thresholdsStyle: { mode: limits === undefined ? 'off' : 'line' },
});

const lineOptions = {
  legend: { displayMode: 'list', placement: 'bottom', showLegend: true, calcs: [] },
  tooltip: { mode: 'multi', sort: 'desc' },
};
const figureOptions = {
  reduceOptions: { calcs: ['lastNotNull'], fields: '', values: false },
  ...{ colorMode: 'value', graphMode: 'area', justifyMode: 'auto', orientation: 'auto', textMode: 'auto' },
  ...{ wideLayout: true, showPercentChange: false, percentChangeColorMode: 'standard' },
};

/** From the lowest to the highest, as Grafana wants them; the first has no value. */
function stepsOf(limits: Limits | undefined): object[] {
  if (limits === undefined) return [{ color: 'green', value: null }];
  const { warning, critical } = limits;
  const [first, second, third] = critical > warning ? ['green', 'orange', 'red'] : ['red', 'orange', 'green'];
  const [low, high] = [Math.min(warning, critical), Math.max(warning, critical)];
  return [
    { color: first, value: null },
    { color: second, value: low },
    { color: third, value: high },
  ];
}

const targetOf = ({ expr, legend }: Query, index: number): object => ({
  refId: String.fromCharCode('A'.charCodeAt(0) + index),
  datasource,
  expr: ofJob(expr),
  legendFormat: legend,
  ...{ editorMode: 'code', range: true, instant: false },
});

/** Every series within what is chosen above the panels. */
const ofJob = (expr: string): string =>
  expr.replaceAll(/\b((?:broadside|process|nodejs)_\w+)(\{)?/g, (_all, name: string, brace?: string) =>
    brace === undefined ? `${name}{job=~"$job"}` : `${name}{job=~"$job",`,
  );
