import type { TSchema } from 'typebox';

/**
 * Query and path are text: converts each named parameter to its schema's type, where the text is exactly that.
 * (TypeBox's `Convert` would read `page=1.5` as 1.)
 */
export function convertText(schema: TSchema, input: unknown): unknown {
  if (typeof input !== 'object' || input === null) return input;
  const { properties = {} } = schema as {
    properties?: Readonly<Record<string, { readonly type?: unknown }>>;
  };
  return Object.fromEntries(
    Object.entries(input).map(([name, value]) => [name, convertValue(properties[name]?.type, value)]),
  );
}

function convertValue(type: unknown, value: unknown): unknown {
  if (typeof value !== 'string') return value;
  if (type === 'integer' && /^-?\d{1,15}$/.test(value)) return Number(value);
  if (type === 'boolean' && (value === 'true' || value === 'false')) return value === 'true';
  return value;
}
