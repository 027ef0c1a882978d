import type { TSchema } from 'typebox';

interface Field {
  readonly type?: unknown;
  readonly format?: unknown;
  readonly documented?: {
    readonly format?: unknown;
    readonly anyOf?: readonly { readonly format?: unknown }[];
  };
}

/**
 * Query and path are text: converts each named parameter to its schema's type, where the text is exactly that.
 * (TypeBox's `Convert` would read `page=1.5` as 1.)
 */
export function convertText(schema: TSchema, input: unknown): unknown {
  if (typeof input !== 'object' || input === null) return input;
  const { properties = {} } = schema as { properties?: Readonly<Record<string, Field>> };
  return Object.fromEntries(
    Object.entries(input).map(([name, value]) => [name, convertValue(properties[name] ?? {}, value)]),
  );
}

function convertValue(field: Field, value: unknown): unknown {
  if (typeof value !== 'string') return value;
  if (field.type === 'integer') return asInteger(value);
  if (field.type === 'boolean' && (value === 'true' || value === 'false')) return value === 'true';
  return isOfTime(field) ? withPlus(value) : value;
}

export const asInteger = (text: string): unknown => (/^-?\d{1,15}$/.test(text) ? Number(text) : text);

const isOfTime = ({ format, documented = {} }: Field): boolean =>
  [format, documented.format, ...(documented.anyOf ?? []).map((each) => each.format)].includes('date-time');

/** The `+` of `+02:00` is a blank in an address, unless its writer escaped it. */
const withPlus = (time: string): string => time.replace(/^([\d-]+T[\d:.]+) (\d{2}:?\d{2})$/, '$1+$2');
