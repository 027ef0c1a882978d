import { asInteger } from './convert-text.ts';

/** The parts of JSON Schema that say what a text of a form stands for. */
interface Schema {
  readonly type?: string | readonly string[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly items?: Schema;
  readonly anyOf?: readonly Schema[];
}

const membersOf = (schema: Schema): readonly Schema[] => schema.anyOf?.flatMap(membersOf) ?? [schema];

export const takes = (schemas: readonly Schema[], type: string): boolean =>
  schemas.flatMap(membersOf).some((schema) => [schema.type].flat().includes(type));

export const itemsOf = (schemas: readonly Schema[]): readonly Schema[] =>
  schemas.flatMap(membersOf).flatMap(({ items = [] }) => items);

export const propertyOf = (schemas: readonly Schema[], key: string): readonly Schema[] =>
  schemas
    .flatMap(membersOf)
    .flatMap(({ properties = {} }) => (Object.hasOwn(properties, key) ? (properties[key] ?? []) : []));

/** As checkboxes, and the languages that send forms, write them. */
const booleans: Readonly<Record<string, boolean>> = {
  ...{ true: true, 1: true, on: true },
  ...{ false: false, 0: false, off: false },
};

/** A text that is not exactly what its schema takes stays text, and the schema explains what it should be. */
export function convertFormText(schemas: readonly Schema[], text: unknown): unknown {
  if (typeof text !== 'string') return text;
  if (takes(schemas, 'array')) return listOf(schemas, text);
  if (takes(schemas, 'object')) return parseJson(text);
  if (takes(schemas, 'boolean')) {
    const word = text.toLowerCase();
    return Object.hasOwn(booleans, word) ? booleans[word] : text;
  }
  return takes(schemas, 'integer') ? asInteger(text) : text;
}

/** JSON, or the only entry of a list of numbers or texts. */
function listOf(schemas: readonly Schema[], text: string): unknown {
  const value = parseJson(text);
  const items = itemsOf(schemas);
  return Array.isArray(value) || takes(items, 'object') ? value : [convertFormText(items, text)];
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
