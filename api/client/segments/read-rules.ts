import type { Sql } from '../../../engine/adapters/postgres/sql.ts';
import {
  type AudienceRules,
  isGroup,
  MAX_NAMED_REACHES,
  namedReaches,
} from '../../../engine/contract/audience.ts';
import type { AppId } from '../../../engine/contract/ids.ts';
import type { FieldErrors } from '../../../engine/kit/http/problem.ts';
import { namedFields } from './named-fields.ts';
import type { SegmentBody } from './schema.ts';
import { knownCategories, knownDeliveries } from './store.ts';

export type RulesRead =
  | { readonly kind: 'rules'; readonly rules: SegmentBody['rules'] }
  | { readonly kind: 'refused'; readonly errors: FieldErrors };

/** Valid rules → stored rules: without further fields of a condition, and only with existing categories and deliveries. */
export async function readRules(sql: Sql, appId: AppId, given: SegmentBody['rules']): Promise<RulesRead> {
  const rules = namedFields(given) as SegmentBody['rules'];
  if (namedReaches(rules).length > MAX_NAMED_REACHES) {
    const message = `The rules field must not name whom deliveries reached in more than ${MAX_NAMED_REACHES} ways.`;
    return { kind: 'refused', errors: { rules: [message] } };
  }
  const named = referencesIn(rules, 'rules');
  const unknown = [
    ...(await unknownOf(
      named.filter(({ what }) => what === 'delivery category'),
      (ids) => knownCategories(sql, appId, ids),
    )),
    ...(await unknownOf(
      named.filter(({ what }) => what === 'delivery'),
      (ids) => knownDeliveries(sql, appId, ids),
    )),
  ];
  return unknown.length === 0 ? { kind: 'rules', rules } : { kind: 'refused', errors: missing(unknown) };
}

/** What a condition refers to by its id. */
interface Named {
  readonly what: 'delivery category' | 'delivery';
  readonly field: string;
  readonly id: number;
}

async function unknownOf(
  named: readonly Named[],
  find: (ids: readonly number[]) => Promise<ReadonlySet<number>>,
): Promise<readonly Named[]> {
  if (named.length === 0) return [];
  const known = await find(named.map(({ id }) => id));
  return named.filter(({ id }) => !known.has(id));
}

const missing = (named: readonly Named[]): FieldErrors =>
  Object.fromEntries(
    named.map(({ field, what }) => [field, [`The ${field} field must refer to an existing ${what}.`]]),
  );

function referencesIn(group: AudienceRules, path: string): Named[] {
  return group.conditions.flatMap((member, index): Named[] => {
    const field = `${path}.conditions.${index}`;
    if (isGroup(member)) return referencesIn(member, field);
    if (member.field === 'category')
      return [{ what: 'delivery category', field: `${field}.category_id`, id: member.category_id }];
    if (member.field === 'delivery')
      return [{ what: 'delivery', field: `${field}.delivery_id`, id: member.delivery_id }];
    return [];
  });
}
