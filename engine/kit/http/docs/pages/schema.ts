import { isObject, type Json, type JsonObject } from '../named-schemas.ts';
import { type Html, html } from './html.ts';
import { inlineMarkdown } from './markdown.ts';

/** Deeper, the reader is better served by the example. */
const DEEPEST = 4;

/** The fields of a schema, each with what it may be. @param named `#/components/schemas` by their names. */
export function drawFields(schema: Json | undefined, named: JsonObject, depth = 0): Html {
  const { properties, required, items } = resolved(schema, named);
  if (isObject(items)) return drawFields(items, named, depth);
  if (!isObject(properties) || depth > DEEPEST) return html``;
  const needed = [required].flat();
  return html`<dl class="fields">${Object.entries(properties).map(([name, field]) =>
    drawField(name, resolved(field, named), needed.includes(name), named, depth),
  )}</dl>`;
}

function drawField(
  name: string,
  field: JsonObject,
  isRequired: boolean,
  named: JsonObject,
  depth: number,
): Html {
  const inner = hasFields(field, named) && depth < DEEPEST;
  return html`<dt><code>${name}</code> <span class="type">${typeOf(field, named)}</span>${
    isRequired && html` <span class="required">required</span>`
  }</dt>
<dd>${typeof field.description === 'string' && inlineMarkdown(field.description)}${limitsOf(field)}${
    inner &&
    html`<details><summary>Fields of <code>${name}</code></summary>${drawFields(field, named, depth + 1)}</details>`
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
