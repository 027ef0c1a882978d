import { type TSchema, Type } from 'typebox';
import { Compile, type Validator } from 'typebox/compile';
import type { TLocalizedValidationError } from 'typebox/error';
import {
  audienceGroup,
  conditionSchemas,
  MAX_AUDIENCE_CONDITIONS,
  MAX_AUDIENCE_LEVELS,
} from '../../../engine/contract/audience.ts';
import type { FieldErrors } from '../../plugins/problem.ts';
import { fieldErrorsOf } from '../../plugins/validation-messages.ts';

const kinds = conditionSchemas.map((schema) => ({
  fields: wordsOf(schema.properties.field),
  operators: wordsOf(schema.properties.operator),
  validator: Compile(schema as TSchema),
}));
const fieldNames = [...new Set(kinds.flatMap(({ fields }) => fields))];
const group = Compile(audienceGroup as TSchema);
const object = Compile(Type.Object({}) as TSchema);

function wordsOf({ enum: words }: { readonly enum: readonly string[] }): readonly string[] {
  return words;
}

type Json = Readonly<Record<string, unknown>>;
const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const membersOf = (value: unknown): readonly unknown[] =>
  isObject(value) && Array.isArray(value.conditions) ? value.conditions : [];

/** What is wrong with rules, each error at its path: a condition is known by its `field` and `operator`. */
export function explainRules(value: unknown): FieldErrors {
  // Counted before anything is told: what a body of wrong conditions costs stays within this.
  if (countConditions(value, 1) > MAX_AUDIENCE_CONDITIONS) {
    return say('/rules', `must not have more than ${MAX_AUDIENCE_CONDITIONS} conditions`);
  }
  return explainGroup(value, '/rules', 1);
}

function countConditions(value: unknown, level: number): number {
  if (level > MAX_AUDIENCE_LEVELS) return 1;
  return membersOf(value).reduce<number>(
    (sum, member) => sum + (looksLikeGroup(member) ? countConditions(member, level + 1) : 1),
    0,
  );
}

const looksLikeGroup = (value: unknown): boolean =>
  isObject(value) && !('field' in value) && ('conditions' in value || 'match' in value);

function explainGroup(value: unknown, path: string, level: number): FieldErrors {
  if (level > MAX_AUDIENCE_LEVELS) return say(path, `must not be nested in ${MAX_AUDIENCE_LEVELS} groups`);
  const inner = membersOf(value).map((member, index) => {
    const at = `${path}/conditions/${index}`;
    return looksLikeGroup(member) ? explainGroup(member, at, level + 1) : explainCondition(member, at);
  });
  return Object.assign({}, explainWith(group, value, path), ...inner);
}

function explainCondition(value: unknown, path: string): FieldErrors {
  if (!isObject(value)) return explainWith(object, value, path);
  const ofField = kinds.filter(({ fields }) => fields.some((field) => field === value.field));
  if (ofField.length === 0) return explainWord(`${path}/field`, value.field, fieldNames);
  const kind = ofField.find(({ operators }) => operators.some((operator) => operator === value.operator));
  if (kind !== undefined) return explainWith(kind.validator, value, path);
  return explainWord(
    `${path}/operator`,
    value.operator,
    ofField.flatMap(({ operators }) => operators),
  );
}

const explainWord = (path: string, given: unknown, words: readonly string[]): FieldErrors =>
  say(path, given === undefined ? 'is required' : `must be one of ${words.join(', ')}`);

/** A path as the validator writes them, with slashes, is one with dots in the answer. */
const say = (path: string, words: string): FieldErrors => {
  const field = path.slice(1).replaceAll('/', '.');
  return { [field]: [`The ${field} field ${words}.`] };
};

function explainWith(validator: Validator, value: unknown, path: string): FieldErrors {
  if (validator.Check(value)) return {};
  const errors = validator.Errors(value) as TLocalizedValidationError[];
  return fieldErrorsOf(errors.map((error) => ({ ...error, instancePath: `${path}${error.instancePath}` })));
}
