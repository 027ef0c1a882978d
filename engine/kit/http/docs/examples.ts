import { isObject, type Json, type JsonObject } from './named-schemas.ts';

/**
 * An example value of the schema, from its own `examples` or those of its parts.
 * @returns undefined where a part has none.
 */
export function exampleOf(schema: JsonObject): Json | undefined {
  const given = firstOf(schema);
  if (given !== undefined) return given;
  if (isObject(schema.properties)) return exampleOfObject(schema.properties);
  if (isObject(schema.items)) {
    const item = exampleOf(schema.items);
    return item === undefined ? undefined : [item];
  }
  return undefined;
}

function firstOf({ example, examples, const: only, enum: allowed }: JsonObject): Json | undefined {
  if (example !== undefined) return example;
  if (Array.isArray(examples) && examples.length > 0) return examples[0] as Json;
  if (only !== undefined) return only;
  return Array.isArray(allowed) ? (allowed[0] as Json) : undefined;
}

function exampleOfObject(properties: JsonObject): Json | undefined {
  const entries = Object.entries(properties).map(
    ([name, schema]) => [name, isObject(schema) ? exampleOf(schema) : undefined] as const,
  );
  if (entries.some(([, value]) => value === undefined)) return undefined;
  return Object.fromEntries(entries) as JsonObject;
}
