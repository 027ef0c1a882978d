import {
  askedBy,
  type Condition,
  type ConditionDraft,
  type GroupDraft,
  hasKey,
  newCondition,
  newGroup,
  type Rules,
} from '../data/segments/draft.ts';

/** The rule as the API stores it. */
export const rulesOf = (group: GroupDraft): Rules =>
  ({
    match: group.match,
    conditions: group.members.map((each) => (each.kind === 'group' ? rulesOf(each) : conditionOf(each))),
    // A level deeper is of another type, and the page keeps to the levels there are.
  }) as Rules;

function conditionOf(draft: ConditionDraft): Condition {
  const { field, operator, key } = draft;
  return { field, operator, ...(hasKey(draft) ? { key } : {}), ...askedOf(draft) } as Condition;
}

function askedOf(draft: ConditionDraft): object {
  switch (askedBy(draft)) {
    case 'value':
      return { value: draft.value };
    case 'values':
      return { values: draft.values };
    case 'category':
      return { category_id: Number(draft.categoryId) };
    case 'date':
      return { date: draft.date };
    case 'days':
      return { days: Number(draft.days) };
    case 'delivery':
      return { delivery_id: Number(draft.deliveryId) };
    case 'share':
      return { from: partsOf(draft.from), below: partsOf(draft.to) };
    case 'nothing':
      return {};
  }
}

/** The API counts hundredths of a percent. */
const PARTS_OF_PERCENT = 100;
const partsOf = (percent: number | ''): number => Math.round(Number(percent) * PARTS_OF_PERCENT);

/** A stored rule as the page edits it. */
export const draftOf = (rules: Rules): GroupDraft => ({
  ...newGroup([]),
  match: rules.match,
  members: rules.conditions.map((each) =>
    'conditions' in each ? draftOf(each as Rules) : conditionDraftOf(each as Condition),
  ),
});

/** Any of the fields that some condition has. */
interface AnyCondition {
  readonly field: string;
  readonly key?: string;
  readonly value?: string;
  readonly values?: readonly string[];
  readonly category_id?: number;
  readonly date?: string;
  readonly days?: number;
  readonly delivery_id?: number;
  readonly from?: number;
  readonly below?: number;
}

function conditionDraftOf(condition: Condition): ConditionDraft {
  const { field, operator } = condition;
  const given: AnyCondition = condition;
  const empty = newCondition();
  return {
    ...empty,
    field,
    operator,
    key: given.key ?? '',
    value: given.value ?? '',
    values: given.values ?? [],
    categoryId: String(given.category_id ?? ''),
    date: given.date ?? '',
    days: given.days ?? empty.days,
    deliveryId: String(given.delivery_id ?? ''),
    from: given.from === undefined ? empty.from : given.from / PARTS_OF_PERCENT,
    to: given.below === undefined ? empty.to : given.below / PARTS_OF_PERCENT,
  };
}

/** Whether every row is complete: only then it is worth counting. */
export const isComplete = (group: GroupDraft): boolean =>
  group.members.length > 0 &&
  group.members.every((each) => (each.kind === 'group' ? isComplete(each) : missingIn(each) === null));

/** The first thing a row lacks. */
type Missing = 'key' | 'split' | 'values' | 'category_id' | 'date' | 'days' | 'delivery_id' | 'below';
export function missingIn(draft: ConditionDraft): Missing | null {
  if (hasKey(draft) && draft.key.trim() === '') return draft.field === 'tag' ? 'key' : 'split';
  switch (askedBy(draft)) {
    case 'values':
      return draft.values.length === 0 ? 'values' : null;
    case 'category':
      return draft.categoryId === '' ? 'category_id' : null;
    case 'date':
      return draft.date === '' ? 'date' : null;
    case 'days':
      return draft.days === '' ? 'days' : null;
    case 'delivery':
      return draft.deliveryId === '' ? 'delivery_id' : null;
    case 'share':
      return partsOf(draft.to) > partsOf(draft.from) ? null : 'below';
    case 'value':
    case 'nothing':
      return null;
  }
}
