import { type TSchema, Type } from 'typebox';
import { Compile } from 'typebox/compile';
import {
  audienceGroup,
  MAX_AUDIENCE_CONDITIONS,
  MAX_AUDIENCE_LEVELS,
} from '../../../engine/contract/audience.ts';
import { explainWith, say } from '../../../engine/kit/http/explain-with.ts';
import type { FieldErrors } from '../../../engine/kit/http/problem.ts';
import { conditionKinds } from './condition-kinds.ts';

const fieldNames = [...new Set(conditionKinds.flatMap(({ fields }) => fields))];
const group = Compile(audienceGroup as TSchema);
const object = Compile(Type.Object({}) as TSchema);

type Json = Readonly<Record<string, unknown>>;
const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const membersOf = (value: unknown): readonly unknown[] =>
  isObject(value) && Array.isArray(value.conditions) ? value.conditions : [];

/** The errors in rules, each at its path: a condition is identified by its `field` and `operator`. */
export function explainRules(value: unknown): FieldErrors {
  // Counted before any error is explained: this bounds the cost of a body of wrong conditions.
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
  const ofField = conditionKinds.filter(({ fields }) => fields.some((field) => field === value.field));
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
