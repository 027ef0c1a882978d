import type { TSchema } from 'typebox';
import type { FieldErrors } from './problem.ts';

/** What a body must keep beyond what its fields say each for itself. */
export interface Rule {
  /** Who is told. */
  readonly field: string;
  readonly words: string;
  /** Runs on bodies whose fields may be wrong: nothing is known of their types. */
  holds(body: Readonly<Record<string, unknown>>): boolean;
}

const rulesKey = Symbol('rules');

/**
 * Adds rules over several fields to a schema. TypeBox's own `Refine` of an object is passed over as long as
 * one of its fields is wrong, and would hide what else is.
 */
export function withRules<Schema extends TSchema>(schema: Schema, rules: readonly Rule[]): Schema {
  return Object.defineProperty(schema, rulesKey, { value: rules, enumerable: false });
}

export function brokenRules(schema: TSchema, body: unknown): FieldErrors {
  const rules = (schema as { readonly [rulesKey]?: readonly Rule[] })[rulesKey] ?? [];
  if (typeof body !== 'object' || body === null) return {};
  const broken = rules.filter((rule) => !rule.holds(body as Record<string, unknown>));
  return Object.fromEntries(broken.map(({ field, words }) => [field, [`The ${field} field ${words}.`]]));
}
