// tier: unit
import fc from 'fast-check';
import { Check, Clean } from 'typebox/value';
import { expect, it } from 'vitest';
import { namedFields } from '../../../../api/client/segments/named-fields.ts';
import { type AudienceRules, audienceRules } from '../../../../engine/contract/audience.ts';
import { valid } from '../../../generated/arbitraries.ts';
import type { Schema } from '../../../generated/routes.ts';
import { cases } from '../../../support/cases.ts';

const furtherFields = fc.constantFrom<object>(
  {},
  { secret: 1 },
  { conditions: 'no group' },
  { values: [7], days: null },
  { field: 'tag', operator: 'exists' },
  // Makes a group a condition, too.
  { field: 'last_clicked', operator: 'never' },
);

/** Rules with further fields anywhere, those of other kinds of conditions among them. */
const rules = fc
  .tuple(valid(audienceRules as Schema), fc.array(furtherFields, { minLength: 1 }))
  .map(([given, further]) => withFurther(given as AudienceRules, further))
  .filter((given) => Check(audienceRules, given));

function withFurther(given: AudienceRules, further: readonly object[]): AudienceRules {
  let place = 0;
  const add = (member: object): object => ({
    ...further[place++ % further.length],
    ...member,
    ...('conditions' in member ? { conditions: (member.conditions as object[]).map(add) } : {}),
  });
  return add(given) as AudienceRules;
}

it('leaves of valid rules what their schema names', () => {
  let changed = 0;
  const property = fc.property(rules, (given) => {
    const left = namedFields(given);
    expect(left).toEqual(Clean(audienceRules, structuredClone(given)));
    changed += JSON.stringify(left) === JSON.stringify(given) ? 0 : 1;
  });
  fc.assert(property, { numRuns: cases(30, 300) });
  expect(changed).toBeGreaterThan(5);
});
