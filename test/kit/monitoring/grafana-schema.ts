/**
 * The part of Grafana's dashboard format that these dashboards use, with every field that Grafana needs for it
 * (its documentation: "Dashboard JSON model"). Stricter than Grafana: no field beside these, and each panel has
 * a unit, thresholds, a legend and the chosen data source.
 */
const text = { type: 'string', minLength: 1 } as const;
const object = <Properties extends object>(properties: Properties, optional: readonly string[] = []) => ({
  type: 'object',
  properties,
  required: Object.keys(properties).filter((name) => !optional.includes(name)),
  additionalProperties: false,
});
const oneOf = (...values: readonly (string | number | boolean | null)[]) => ({ enum: values });

const datasource = object({ type: oneOf('prometheus'), uid: oneOf('$datasource') });
const whole = { type: 'integer', minimum: 0 } as const;
const gridPos = object({ x: whole, y: whole, w: { ...whole, maximum: 24 }, h: { ...whole, minimum: 1 } });

const step = (value: object) => object({ color: oneOf('green', 'orange', 'red'), value });
/** The first step has no value: it is the colour below all others. */
const thresholds = object({
  mode: oneOf('absolute'),
  steps: {
    type: 'array',
    minItems: 1,
    items: [step({ type: 'null' })],
    additionalItems: step({ type: 'number' }),
  },
});
const units = oneOf('s', 'bytes', 'Bps', 'short', 'percentunit');
const overrides = { type: 'array', maxItems: 0 };
const target = object({
  refId: { type: 'string', pattern: '^[A-Z]$' },
  datasource,
  expr: text,
  legendFormat: text,
  editorMode: oneOf('code'),
  range: oneOf(true),
  instant: oneOf(false),
});
const common = {
  id: { ...whole, minimum: 1 },
  title: { ...text, maxLength: 60 },
  description: text,
  datasource,
  gridPos,
  targets: { type: 'array', minItems: 1, maxItems: 26, items: target },
};

const lines = object({
  ...common,
  type: oneOf('timeseries'),
  fieldConfig: object({
    defaults: object({
      unit: units,
      color: object({ mode: oneOf('palette-classic') }),
      thresholds,
      min: oneOf(0),
      custom: object({
        axisLabel: { type: 'string' },
        drawStyle: oneOf('line'),
        lineWidth: whole,
        fillOpacity: whole,
        showPoints: oneOf('never'),
        spanNulls: oneOf(false),
        thresholdsStyle: object({ mode: oneOf('off', 'line') }),
      }),
    }),
    overrides,
  }),
  options: object({
    legend: object({
      displayMode: oneOf('list', 'table'),
      placement: oneOf('bottom', 'right'),
      showLegend: oneOf(true),
      calcs: { type: 'array' },
    }),
    tooltip: object({ mode: oneOf('single', 'multi'), sort: oneOf('asc', 'desc', 'none') }),
  }),
});

const figure = object({
  ...common,
  type: oneOf('stat'),
  fieldConfig: object({
    defaults: object({ unit: units, color: object({ mode: oneOf('thresholds') }), thresholds }),
    overrides,
  }),
  options: object({
    reduceOptions: object({
      calcs: { type: 'array', items: oneOf('lastNotNull') },
      fields: { type: 'string' },
      values: { type: 'boolean' },
    }),
    colorMode: oneOf('value', 'background', 'none'),
    graphMode: oneOf('area', 'none'),
    justifyMode: oneOf('auto', 'center'),
    orientation: oneOf('auto', 'horizontal', 'vertical'),
    textMode: oneOf('auto', 'value', 'value_and_name', 'name', 'none'),
    wideLayout: { type: 'boolean' },
    showPercentChange: { type: 'boolean' },
    percentChangeColorMode: oneOf('standard', 'inverted', 'same_as_value'),
  }),
});

const row = object({
  id: { ...whole, minimum: 1 },
  type: oneOf('row'),
  title: text,
  collapsed: oneOf(false),
  panels: { type: 'array', maxItems: 0 },
  gridPos,
});

const variable = object(
  {
    name: { type: 'string', pattern: '^\\w+$' },
    label: text,
    type: oneOf('datasource', 'query'),
    query: text,
    datasource,
    current: object({ text: {}, value: {} }),
    hide: oneOf(0, 1, 2),
    includeAll: { type: 'boolean' },
    allValue: text,
    multi: { type: 'boolean' },
    options: { type: 'array' },
    refresh: oneOf(0, 1, 2),
    regex: { type: 'string' },
    sort: whole,
  },
  ['datasource', 'allValue', 'sort'],
);

export const grafanaSchema = object({
  uid: { type: 'string', pattern: '^[a-zA-Z0-9_-]{1,40}$' },
  title: text,
  description: text,
  schemaVersion: { type: 'integer', minimum: 36, maximum: 42 },
  version: whole,
  id: { type: 'null' },
  editable: { type: 'boolean' },
  graphTooltip: oneOf(0, 1, 2),
  tags: { type: 'array', items: text },
  timezone: oneOf('browser', 'utc'),
  refresh: { type: 'string', pattern: '^[0-9]+[smh]$' },
  time: object({ from: text, to: text }),
  timepicker: object({}),
  fiscalYearStartMonth: whole,
  annotations: object({ list: { type: 'array' } }),
  links: { type: 'array' },
  templating: object({ list: { type: 'array', minItems: 1, items: variable } }),
  panels: {
    type: 'array',
    minItems: 1,
    items: {
      type: 'object',
      required: ['type'],
      properties: { type: oneOf('row', 'stat', 'timeseries') },
      oneOf: [row, figure, lines],
    },
  },
});
