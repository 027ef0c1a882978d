import type { Static, TSchema, TUnsafe } from 'typebox';
import type { FieldErrors } from './problem.ts';

/** A rule of a body beyond the schemas of its single fields. */
export interface Rule {
  /** The field that gets the message. */
  readonly field: string;
  readonly words: string;
  /** Runs on bodies whose fields may be wrong: their types are unknown. */
  holds(body: Readonly<Record<string, unknown>>): boolean;
}

const rulesKey = Symbol('rules');

/**
 * Adds rules over several fields to a schema. TypeBox skips its own `Refine` of an object as long as one of its
 * fields is wrong, and would hide the other errors.
 */
export function withRules<Schema extends TSchema>(schema: Schema, rules: readonly Rule[]): Schema {
  // Configurable: an API that is made a second time in a process gives its rules again.
  return Object.defineProperty(schema, rulesKey, { value: rules, enumerable: false, configurable: true });
}

export function brokenRules(schema: TSchema, body: unknown): FieldErrors {
  const rules = (schema as { readonly [rulesKey]?: readonly Rule[] })[rulesKey] ?? [];
  return typeof body === 'object' && body !== null ? brokenAmong(rules, body) : {};
}

export function brokenAmong(rules: readonly Rule[], body: object): FieldErrors {
  const broken = rules.filter((rule) => !rule.holds(body as Record<string, unknown>));
  return Object.fromEntries(broken.map(({ field, words }) => [field, [`The ${field} field ${words}.`]]));
}

const changesKey = Symbol('changes');

/** A field left out stays as it is, and one that is null takes its default. */
export type Changes<Body> = {
  readonly [Field in keyof Body]: Body[Field] | (undefined extends Body[Field] ? null : never);
};

/** Makes a body's schema that of a PATCH: its handler gets the nulls that clients wrote. */
export function ofChanges<Schema extends TSchema>(schema: Schema): TUnsafe<Changes<Static<Schema>>> {
  Object.defineProperty(schema, changesKey, { value: true, enumerable: false, configurable: true });
  return schema as unknown as TUnsafe<Changes<Static<Schema>>>;
}

export const isOfChanges = (schema: TSchema): boolean => changesKey in schema;

const passedOverKey = Symbol('passed over');

/** Lets a body have fields that mean nothing in it, because its clients send a whole resource: they are not stored. */
export function passingOver<Schema extends TSchema>(schema: Schema, names: readonly string[]): Schema {
  const value: ReadonlySet<string> = new Set(names);
  return Object.defineProperty(schema, passedOverKey, { value, enumerable: false, configurable: true });
}

export const passedOverOf = (schema: TSchema): ReadonlySet<string> =>
  (schema as { readonly [passedOverKey]?: ReadonlySet<string> })[passedOverKey] ?? new Set();

/** Explains the errors of a field's value, fields below it by their paths; nothing where it is valid. */
export type Explain = (value: unknown) => FieldErrors;

const explainersKey = Symbol('explainers');

/**
 * Lets fields explain themselves. A union answers with the errors of all its members, though only one was
 * meant: the explainer's errors replace those.
 */
export function withExplainers<Schema extends TSchema>(
  schema: Schema,
  explainers: Readonly<Record<string, Explain>>,
): Schema {
  return Object.defineProperty(schema, explainersKey, { value: explainers, enumerable: false });
}

/** The schema's errors, each explained field's replaced by its own. */
export function explained(schema: TSchema, body: unknown, errors: FieldErrors): FieldErrors {
  const explainers = (schema as { readonly [explainersKey]?: Readonly<Record<string, Explain>> })[
    explainersKey
  ];
  if (explainers === undefined || typeof body !== 'object' || body === null) return errors;
  const found = { ...errors };
  for (const [field, explain] of Object.entries(explainers)) {
    const value = (body as Readonly<Record<string, unknown>>)[field];
    const own = value === undefined ? {} : explain(value);
    if (Object.keys(own).length === 0) continue;
    for (const path of Object.keys(found)) {
      if (path === field || path.startsWith(`${field}.`)) delete found[path];
    }
    Object.assign(found, own);
  }
  return found;
}
