import { Compile } from 'typebox/compile';
import { type AudienceRules, conditionSchemas } from '../../../engine/contract/audience.ts';

type Member = AudienceRules['conditions'][number];

const kinds = conditionSchemas.map((schema) => ({
  schema: Compile(schema),
  fields: new Set(Object.keys(schema.properties)),
}));

/**
 * Valid rules → the same without the fields that a condition of its kind, or a group, does not have. By hand, because
 * TypeBox's `Clean` sorts the kinds anew at each call: 20 ms and more, in which a server answers nobody.
 */
export const namedFields = ({ match, conditions }: AudienceRules): AudienceRules => ({
  match,
  conditions: conditions.map(namedOf),
});

/** A condition comes first: one with a further field `conditions` is no group. */
function namedOf(member: Member): Member {
  const kind = kinds.find(({ schema }) => schema.Check(member));
  if (kind === undefined) return namedFields(member as AudienceRules);
  return Object.fromEntries(Object.entries(member).filter(([name]) => kind.fields.has(name))) as Member;
}
