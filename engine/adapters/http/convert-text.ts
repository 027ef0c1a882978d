import type { TSchema } from 'typebox';

/**
 * Query and path are text: gives each named parameter the type its schema says, where the text is exactly
 * that. (TypeBox's `Convert` would take `page=1.5` for 1.)
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
