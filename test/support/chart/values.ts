import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isMap, isScalar, type Pair, parseDocument, type YAMLMap } from 'yaml';
import { repositoryRoot } from '../../architecture/temporary-tree.ts';
import { rolesOfChart, settingNames } from './settings-of-chart.ts';

export const chartFolder = join(repositoryRoot, 'engine/chart');
export const schemaFile = join(chartFolder, 'values.schema.json');
export const guideFile = join(repositoryRoot, 'engine/KUBERNETES.md');

const valuesText = (): string => readFileSync(join(chartFolder, 'values.yaml'), 'utf8');

export interface Value {
  /** `api.autoscaling.enabled`. */
  readonly path: string;
  readonly fallback: unknown;
  /** The comment above it; empty where there is none. */
  readonly comment: string;
}

/** Every value of the chart, in the order of its file. What is free inside (resources, settings) is one of them. */
export function readValues(): Value[] {
  const { contents } = parseDocument(valuesText());
  if (!isMap(contents)) throw new Error('values.yaml is not a map');
  return leavesOf(contents, '');
}

function leavesOf(map: YAMLMap, prefix: string): Value[] {
  return map.items.flatMap((item: Pair, index) => {
    const { key, value } = item;
    if (!isScalar(key)) throw new Error('a key of values.yaml is not a name');
    const path = `${prefix}${key.value}`;
    // The comment above a map's first line belongs to the map, and is kept there.
    const comment = ((index === 0 ? map.commentBefore : null) ?? key.commentBefore ?? '').trim();
    const words = comment.replaceAll(/\n\s*/g, ' ');
    if (isMap(value) && value.items.length > 0 && words === '') return leavesOf(value, `${path}.`);
    if (isMap(value) && path === 'settings')
      return [{ path, fallback: {}, comment: words }, ...leavesOf(value, 'settings.')];
    return [{ path, fallback: isMap(value) || isScalar(value) ? value.toJSON() : [], comment: words }];
  });
}

/** The table of the guide. */
export function valuesTable(): string {
  const rows = readValues().map(
    ({ path, fallback, comment }) =>
      `| \`${path}\` | ${fallback === '' ? '' : `\`${JSON.stringify(fallback).replaceAll('"', '')}\``} | ${comment} |`,
  );
  return ['| value | default | |', '|---|---|---|', ...rows].join('\n');
}

const text = { type: 'string' } as const;
const whole = { type: 'integer', minimum: 0 } as const;
const fromOne = { type: 'integer', minimum: 1 } as const;
const filled = { type: 'string', minLength: 1 } as const;
const free = { type: 'object' } as const;
/** Kubernetes takes no number and no boolean there. */
const texts = { type: 'object', additionalProperties: text } as const;
const objects = { type: 'array', items: free } as const;
const hosts = { type: 'array', items: { type: 'string', pattern: '^[a-z0-9*.-]+$' } } as const;

/** What a default cannot say about a value. */
const special: Readonly<Record<string, object>> = {
  publicBaseUrl: { type: 'string', pattern: '^https?://[^/]+' },
  'image.digest': { type: 'string', pattern: '^(sha256:[0-9a-f]{64})?$' },
  'image.pullPolicy': { enum: ['Always', 'IfNotPresent', 'Never'] },
  'image.repository': filled,
  'engine.replicas': fromOne,
  'migrations.deadlineSeconds': fromOne,
  'reporting.resultsSize': filled,
  'ingress.hosts': hosts,
};
/** The same by the last name of a path. */
const byName: Readonly<Record<string, object>> = {
  ...{ minReplicas: fromOne, maxReplicas: fromOne, cpuPercent: fromOne, targetsPerEngine: fromOne },
  ...{ annotations: texts, podAnnotations: texts, nodeSelector: texts },
  ...{ ingressNamespace: filled, monitoringNamespace: filled },
  ...{ servers: filled, keys: filled, control: filled },
};

const settingsSchema = (names: readonly string[], required: readonly string[]): object => ({
  type: 'object',
  propertyNames: { enum: names },
  additionalProperties: { type: ['string', 'number', 'boolean'] },
  properties: Object.fromEntries(required.map((name) => [name, { type: 'string', minLength: 1 }])),
  required,
});

function schemaOf({ path, fallback }: Value): object {
  const known = special[path] ?? byName[path.slice(path.lastIndexOf('.') + 1)];
  if (known !== undefined) return known;
  if (path === 'settings')
    return settingsSchema(settingNames(Object.values(rolesOfChart)), ['KAFKA_BROKERS', 'CLICKHOUSE_URL']);
  const role = Object.entries(rolesOfChart).find(([name]) => path === `${name}.settings`);
  if (role !== undefined) return settingsSchema(settingNames([role[1]]), []);
  if (typeof fallback === 'number') return whole;
  if (typeof fallback === 'boolean') return { type: 'boolean' };
  if (Array.isArray(fallback)) return objects;
  return typeof fallback === 'object' ? free : text;
}

interface ObjectSchema {
  type: 'object';
  additionalProperties: false;
  properties: Record<string, object>;
  /** What null would take away, as no template expects it. */
  required: string[];
}
const emptyObject = (): ObjectSchema => ({
  ...{ type: 'object', additionalProperties: false, properties: {}, required: [] },
});

/** A schema that refuses a value which the chart does not have, and a setting which no role reads. */
export function valuesSchema(): string {
  const schema = emptyObject();
  for (const value of readValues()) {
    if (value.path.startsWith('settings.')) continue;
    const names = value.path.split('.');
    let place = schema;
    for (const name of names.slice(0, -1)) {
      if (place.properties[name] === undefined) place.required.push(name);
      place.properties[name] ??= emptyObject();
      place = place.properties[name] as ObjectSchema;
    }
    place.properties[names.at(-1) ?? ''] = schemaOf(value);
  }
  // Helm adds it where the chart is part of another one.
  schema.properties.global = free;
  const whole = {
    $schema: 'http://json-schema.org/draft-07/schema#',
    ...{ ...schema, required: ['publicBaseUrl', 'settings', ...schema.required] },
  };
  return `${JSON.stringify(whole, null, 2)}\n`;
}

const BEGIN = '## Values\n\n';
const tableText = /(?<=^## Values\n\n)(?:.*\n(?!\|))?(?:\n)?(?:\|.*\n)+/m;

/** The guide with today's table in the place of its own. */
export function guideWithTable(guide: string): string {
  if (!guide.includes(BEGIN)) throw new Error(`${guideFile} has no heading "Values"`);
  return guide.replace(tableText, () => `${valuesTable()}\n`);
}
