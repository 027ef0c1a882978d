/** Any part of an OpenAPI document. */
export type Json = string | number | boolean | null | readonly Json[] | JsonObject;
export interface JsonObject {
  readonly [key: string]: Json;
}

export const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Keywords that hold values and not schemas: a field called `title` in there names nothing. */
const valueKeys: ReadonlySet<string> = new Set(['example', 'examples', 'default', 'enum', 'const']);
/** Keywords that hold schemas under names of the API's choice: a field called `title` is not a title. */
const mapKeys: ReadonlySet<string> = new Set(['properties', 'patternProperties']);

/**
 * Moves each schema that has a `title` to `#/components/schemas/<title>` and leaves a reference, so that
 * generated clients have types with names. Routes keep whole schemas, which validate without a resolver.
 * @throws Error where two different schemas have one name.
 */
export function nameSchemas(document: JsonObject): JsonObject {
  const named = new Map<string, JsonObject>();
  const visit = (value: Json): Json => {
    if (Array.isArray(value)) return value.map(visit);
    if (!isObject(value)) return value;
    const children = Object.fromEntries(
      Object.entries(value).map(([key, child]) => [key, visitChild(key, child)]),
    );
    const { title, ...schema } = children;
    if (typeof title !== 'string') return children;
    return { $ref: `#/components/schemas/${addOnce(named, title, schema)}` };
  };
  const visitChild = (key: string, child: Json): Json => {
    if (valueKeys.has(key)) return child;
    if (!mapKeys.has(key) || !isObject(child)) return visit(child);
    return Object.fromEntries(Object.entries(child).map(([name, schema]) => [name, visit(schema)]));
  };
  const paths = visit(document.paths ?? {});
  const components = isObject(document.components) ? document.components : {};
  return { ...document, paths, components: { ...components, schemas: sorted(named) } };
}

/** The framework moved an example beside a body's schema there; elsewhere it is inside. */
function addOnce(named: Map<string, JsonObject>, title: string, schema: JsonObject): string {
  const known = named.get(title);
  if (known !== undefined && withoutExamples(known) !== withoutExamples(schema)) {
    throw new Error(`two schemas that differ have the title ${title}: give one of them another`);
  }
  if (known?.examples === undefined) named.set(title, schema);
  return title;
}

const withoutExamples = ({ examples: _examples, ...schema }: JsonObject): string => JSON.stringify(schema);

const sorted = (named: ReadonlyMap<string, JsonObject>): JsonObject =>
  Object.fromEntries([...named].sort(([a], [b]) => (a < b ? -1 : 1)));
