import { isObject, type Json, type JsonObject } from '../named-schemas.ts';
import { type Html, html } from './html.ts';
import { inlineMarkdown } from './markdown.ts';

/** Deeper, the reader is better served by the example. */
const DEEPEST = 4;

/** Where fields stand, and how many levels above them. */
interface Place {
  /** Begins the anchor of each: `createDelivery-body`. */
  readonly anchor: string;
  readonly depth: number;
}

/**
 * The fields of a schema, each with what it may be and an anchor of its own.
 * @param named `#/components/schemas` by their names.
 */
export const drawFields = (schema: Json | undefined, named: JsonObject, anchor: string): Html =>
  drawLevel(schema, named, { anchor, depth: 0 });

function drawLevel(schema: Json | undefined, named: JsonObject, place: Place): Html {
  const fields = fieldsIn(schema, named, place);
  if (fields.length === 0) return html``;
  return html`<dl class="fields">${fields.map((field) => drawField(field, named))}</dl>`;
}

interface Field {
  readonly name: string;
  readonly schema: JsonObject;
  readonly isRequired: boolean;
  /** Its own anchor; those of its fields begin with it. */
  readonly place: Place;
}

/** One level of them: of a list, those of its entries. */
function fieldsIn(schema: Json | undefined, named: JsonObject, place: Place): Field[] {
  const { properties, required, items } = resolved(schema, named);
  if (isObject(items)) return fieldsIn(items, named, place);
  if (!isObject(properties) || place.depth > DEEPEST) return [];
  const needed = [required].flat();
  return Object.entries(properties).map(([name, field]) => ({
    name,
    schema: resolved(field, named),
    isRequired: needed.includes(name),
    place: { anchor: `${place.anchor}.${name}`, depth: place.depth + 1 },
  }));
}

export interface ListedField {
  readonly anchor: string;
  readonly name: string;
  readonly description: string;
}

/** What `drawFields` draws, for the search. */
export function listFields(
  schema: Json | undefined,
  named: JsonObject,
  anchor: string,
  depth = 0,
): ListedField[] {
  return fieldsIn(schema, named, { anchor, depth }).flatMap(({ name, schema: own, place }) => [
    { anchor: place.anchor, name, description: String(own.description ?? '') },
    ...listFields(own, named, place.anchor, place.depth),
  ]);
}

function drawField({ name, schema, isRequired, place }: Field, named: JsonObject): Html {
  const inner = drawLevel(hasFields(schema, named) ? schema : undefined, named, place);
  return html`<dt id="${place.anchor}"><a href="#${place.anchor}"><code>${name}</code></a> <span class="type">${typeOf(
    schema,
    named,
  )}</span>${isRequired && html` <span class="required">required</span>`}</dt>
<dd>${typeof schema.description === 'string' && inlineMarkdown(schema.description)}${limitsOf(schema)}${
    inner.text !== '' && html`<details><summary>Fields of <code>${name}</code></summary>${inner}</details>`
  }</dd>`;
}

function hasFields(field: JsonObject, named: JsonObject): boolean {
  const { items, properties } = field;
  return isObject(items) ? hasFields(resolved(items, named), named) : isObject(properties);
}

/** `string or null`, `list of integer`, `one of …`. */
export function typeOf(given: Json | undefined, named: JsonObject): string {
  const schema = resolved(given, named);
  const { type, anyOf, items } = schema;
  if (Array.isArray(anyOf))
    return [...new Set(anyOf.map((each) => typeOf(each, named)))].filter((each) => each !== '').join(' or ');
  const types = [type ?? []].flat().map(String);
  return types
    .map((each) => (each === 'array' && items !== undefined ? `list of ${typeOf(items, named)}` : each))
    .join(' or ');
}

const spans: readonly (readonly [least: string, most: string, unit: string])[] = [
  ['minimum', 'maximum', ''],
  ['minLength', 'maxLength', ' characters'],
  ['minItems', 'maxItems', ' entries'],
];

function limitsOf(schema: JsonObject): Html {
  const said: Html[] = [];
  const values = [schema.enum ?? []].flat();
  if (values.length > 0)
    said.push(html`One of ${values.map((each, at) => html`${at > 0 && ', '}<code>${String(each)}</code>`)}.`);
  for (const [least, most, unit] of spans) {
    const [from, to] = [schema[least], schema[most]];
    // The largest safe number is not a limit that anyone meets.
    const end = to === undefined || to === Number.MAX_SAFE_INTEGER ? null : Number(to).toLocaleString('en');
    if (end !== null && from !== undefined) said.push(html`${String(from)} to ${end}${unit}.`);
    else if (end !== null) said.push(html`At most ${end}${unit}.`);
    else if (from !== undefined) said.push(html`At least ${String(from)}${unit}.`);
  }
  if (schema.default !== undefined && schema.default !== null)
    said.push(html`Default: <code>${JSON.stringify(schema.default)}</code>.`);
  if (said.length === 0) return html``;
  return html`<p class="limits">${said.map((each, at) => html`${at > 0 && ' '}${each}`)}</p>`;
}

/** A reference, or null and one other schema, leads to that schema. */
export function resolved(schema: Json | undefined, named: JsonObject): JsonObject {
  if (!isObject(schema)) return {};
  const { $ref: reference, anyOf } = schema;
  if (typeof reference === 'string') {
    const { $ref: _, ...own } = schema;
    return { ...resolved(named[reference.split('/').at(-1) ?? ''], named), ...own };
  }
  const others = [anyOf ?? []].flat().filter((each) => isObject(each) && each.type !== 'null');
  const [only] = others;
  if (!Array.isArray(anyOf) || others.length !== 1 || !isObject(only)) return schema;
  const { anyOf: _, ...own } = schema;
  const found = resolved(only, named);
  return { ...found, ...own, type: [...[found.type ?? []].flat(), 'null'] };
}
