import type { AudienceRules } from '../../../engine/contract/audience.ts';
import { conditionKinds } from './condition-kinds.ts';

type Member = AudienceRules['conditions'][number];

/**
 * Valid rules → the same without the fields that a condition of its kind, or a group, does not have. By hand, because
 * TypeBox's `Clean` sorts the kinds again at each call: about 20 ms, during which the server answers nobody.
 */
export const namedFields = ({ match, conditions }: AudienceRules): AudienceRules => ({
  match,
  conditions: conditions.map(namedOf),
});

/** A condition comes first: one with a further field `conditions` is not a group. */
function namedOf(member: Member): Member {
  const kind = conditionKinds.find(({ validator }) => validator.Check(member));
  if (kind === undefined) return namedFields(member as AudienceRules);
  return Object.fromEntries(Object.entries(member).filter(([name]) => kind.names.has(name))) as Member;
}
