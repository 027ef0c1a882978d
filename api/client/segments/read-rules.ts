import { Clean } from 'typebox/value';
import type { FieldErrors } from '../../../engine/adapters/http/problem.ts';
import type { Sql } from '../../../engine/adapters/postgres/database.ts';
import { type AudienceRules, audienceRules, isGroup } from '../../../engine/contract/audience.ts';
import type { AppId } from '../../../engine/contract/ids.ts';
import type { SegmentBody } from './schema.ts';
import { knownCategories } from './store.ts';

export type RulesRead =
  | { readonly kind: 'rules'; readonly rules: SegmentBody['rules'] }
  | { readonly kind: 'refused'; readonly errors: FieldErrors };

/** Valid rules → what is kept of them: what else a client put into a condition is not, and categories exist. */
export async function readRules(sql: Sql, appId: AppId, given: SegmentBody['rules']): Promise<RulesRead> {
  const rules = Clean(audienceRules, structuredClone(given)) as SegmentBody['rules'];
  const named = categoriesIn(rules, 'rules');
  if (named.length === 0) return { kind: 'rules', rules };
  const known = await knownCategories(
    sql,
    appId,
    named.map(({ id }) => id),
  );
  const unknown = named.filter(({ id }) => !known.has(id));
  return unknown.length === 0 ? { kind: 'rules', rules } : { kind: 'refused', errors: missing(unknown) };
}

interface Named {
  readonly field: string;
  readonly id: number;
}

const missing = (named: readonly Named[]): FieldErrors =>
  Object.fromEntries(
    named.map(({ field }) => [field, [`The ${field} field must refer to an existing delivery category.`]]),
  );

function categoriesIn(group: AudienceRules, path: string): Named[] {
  return group.conditions.flatMap((member, index) => {
    const field = `${path}.conditions.${index}`;
    if (isGroup(member)) return categoriesIn(member, field);
    return member.field === 'category' ? [{ field: `${field}.category_id`, id: member.category_id }] : [];
  });
}
