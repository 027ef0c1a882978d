import { isObject, type Json } from './named-schemas.ts';

/** Keywords that hold values and not schemas: a `documented` in there is a value's own field. */
const valueKeys: ReadonlySet<string> = new Set(['example', 'examples', 'default', 'enum', 'const']);

/**
 * Moves a schema's `documented` part into the schema itself. It holds formats and patterns that the server
 * checks by code of its own, which accepts more than the format does (a time without an offset) or explains
 * errors better than a pattern; the validator would enforce them, so it does not see them.
 */
export function spellOut(value: Json): Json {
  if (Array.isArray(value)) return value.map(spellOut);
  if (!isObject(value)) return value;
  const { documented, ...own } = value;
  const children = Object.fromEntries(
    Object.entries(own).map(([key, child]) => [key, valueKeys.has(key) ? child : spellOut(child)]),
  );
  return isObject(documented) ? { ...children, ...documented } : children;
}
