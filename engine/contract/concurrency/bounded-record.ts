import { type Static, type TSchema, Type } from 'typebox';

interface KeyBounds {
  readonly minLength?: number;
  readonly maxLength: number;
}

interface Options {
  readonly maxProperties: number;
  readonly description?: string;
}

/** Matches any key, so that every value is checked; `.` would skip keys of several lines. */
const ANY_KEY_PATTERN = '^[\\s\\S]*$';

/**
 * An object of some keys, each of them bounded. A `Type.Record` whose key is a text with a `maxLength` says the
 * same and bounds no key: the length is lost on the way to JSON Schema, where a key can only be a pattern.
 */
export const boundedRecord = <Value extends TSchema>(keys: KeyBounds, value: Value, options: Options) =>
  Type.Unsafe<Record<string, Static<Value>>>(
    Type.Record(Type.String({ pattern: ANY_KEY_PATTERN }), value, {
      ...options,
      propertyNames: { type: 'string', ...keys },
    }),
  );
