/** The parts of JSON Schema that the schemas of bodies are made of. */
interface Schema {
  readonly type?: string | readonly string[];
  readonly maxLength?: number;
  readonly maxItems?: number;
  readonly maxProperties?: number;
  readonly items?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly patternProperties?: Readonly<Record<string, Schema>>;
  readonly propertyNames?: Schema;
  readonly anyOf?: readonly Schema[];
  readonly enum?: readonly unknown[];
  readonly additionalProperties?: unknown;
}

/** JSON may write any character as one or two `\uXXXX`. */
const BYTES_A_CHARACTER = 12;
/** A number, a literal, or a text that a pattern or a list of values bounds. */
const BYTES_OF_OTHERS = 256;
/** Quotes, a colon, a comma, and room to indent. */
const BYTES_BETWEEN = 16;

/**
 * The bytes of the longest body that a schema allows, however its characters are written: the bytes a route
 * must read before it can reject a body. Lists without a bound count as empty, and free values have none.
 */
export const mostBytes = (schema: object): number => bytesOf(schema);

function bytesOf(schema: Schema): number {
  if (schema.additionalProperties === true) return Number.POSITIVE_INFINITY;
  if (schema.anyOf) return Math.max(...schema.anyOf.map(bytesOf));
  if (schema.properties)
    return sum(
      Object.entries(schema.properties).map(([key, value]) => key.length + BYTES_BETWEEN + bytesOf(value)),
    );
  if (schema.patternProperties) {
    const value = Math.max(...Object.values(schema.patternProperties).map(bytesOf));
    const key = (schema.propertyNames?.maxLength ?? 0) * BYTES_A_CHARACTER;
    return (schema.maxProperties ?? 0) * (key + value + BYTES_BETWEEN);
  }
  if (schema.items) return (schema.maxItems ?? 0) * (bytesOf(schema.items) + BYTES_BETWEEN);
  return schema.maxLength === undefined
    ? BYTES_OF_OTHERS
    : schema.maxLength * BYTES_A_CHARACTER + BYTES_BETWEEN;
}

const sum = (numbers: readonly number[]): number =>
  numbers.reduce((total, each) => total + each, BYTES_BETWEEN);
