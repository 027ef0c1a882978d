/** The parts of JSON Schema that bound a value. */
interface Schema {
  readonly type?: string | readonly string[];
  readonly maxLength?: number;
  readonly maxItems?: number;
  readonly maxProperties?: number;
  readonly items?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly patternProperties?: Readonly<Record<string, Schema>>;
  readonly anyOf?: readonly Schema[];
}

/**
 * A value cut to just beyond what its schema allows. Whatever is longer than its limit still breaks it, with the same
 * message; but neither a rule, a pattern nor an explainer ever sees more than the limit and one.
 */
export const withinLimits = (schema: object, value: unknown): unknown => cut([schema], value);

function cut(given: readonly Schema[], value: unknown): unknown {
  const schemas = given.flatMap(membersOf);
  if (typeof value === 'string') return cutText(mostOf(schemas, 'string', 'maxLength'), value);
  if (Array.isArray(value)) return cutList(schemas, value);
  if (typeof value !== 'object' || value === null) return value;
  return cutFields(schemas, value);
}

const membersOf = (schema: Schema): readonly Schema[] => schema.anyOf?.flatMap(membersOf) ?? [schema];

/** The largest limit that any of the schemas has for a value of this type. */
function mostOf(
  schemas: readonly Schema[],
  type: string,
  limit: 'maxLength' | 'maxItems' | 'maxProperties',
): number {
  const limits = schemas
    .filter((schema) => [schema.type].flat().includes(type))
    .map((schema) => schema[limit] ?? Number.POSITIVE_INFINITY);
  return limits.length === 0 ? Number.POSITIVE_INFINITY : Math.max(...limits);
}

/** Limits count characters, of which one may be two units of UTF-16. */
const cutText = (most: number, text: string): string =>
  text.length > 2 * (most + 1) ? text.slice(0, 2 * (most + 1)) : text;

function cutList(schemas: readonly Schema[], list: readonly unknown[]): unknown[] {
  const items = schemas.flatMap((schema) => schema.items ?? []);
  return list
    .slice(0, mostOf(schemas, 'array', 'maxItems') + 1)
    .map((item) => (items.length === 0 ? item : cut(items, item)));
}

/** Fields that no schema names are ignored, except where the keys are free. */
function cutFields(schemas: readonly Schema[], value: object): object {
  const free = schemas.flatMap(({ patternProperties = {} }) => Object.values(patternProperties));
  const fields = Object.entries(value);
  const kept = free.length === 0 ? fields : fields.slice(0, mostOf(schemas, 'object', 'maxProperties') + 1);
  const bounded = kept.map(([key, child]): readonly [string, unknown] => {
    const named = schemas.flatMap(({ properties = {} }) =>
      Object.hasOwn(properties, key) ? (properties[key] ?? []) : [],
    );
    const own = named.length > 0 ? named : free;
    return [key, own.length === 0 ? child : cut(own, child)];
  });
  // Thousands of fields take milliseconds to put together again.
  const isSame = kept.length === fields.length && bounded.every(([, child], at) => child === kept[at]?.[1]);
  return isSame ? value : Object.fromEntries(bounded);
}
