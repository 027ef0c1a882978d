import {
  askedBy,
  type Condition,
  type ConditionDraft,
  type GroupDraft,
  newCondition,
  newGroup,
  type Rules,
} from './draft.ts';

/** The rule as the API stores it. */
export const rulesOf = (group: GroupDraft): Rules =>
  ({
    match: group.match,
    conditions: group.members.map((each) => (each.kind === 'group' ? rulesOf(each) : conditionOf(each))),
    // A level deeper is of another type, and the page keeps to the levels there are.
  }) as Rules;

function conditionOf(draft: ConditionDraft): Condition {
  const { field, operator, key } = draft;
  return { field, operator, ...(field === 'tag' ? { key } : {}), ...askedOf(draft) } as Condition;
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
    case 'nothing':
      return {};
  }
}

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
  };
}

/** Whether every row says all that it must: only then it is worth counting. */
export const isComplete = (group: GroupDraft): boolean =>
  group.members.length > 0 &&
  group.members.every((each) => (each.kind === 'group' ? isComplete(each) : missingIn(each) === null));

/** The first thing a row lacks. */
export function missingIn(draft: ConditionDraft): 'key' | 'values' | 'category_id' | 'date' | 'days' | null {
  if (draft.field === 'tag' && draft.key.trim() === '') return 'key';
  switch (askedBy(draft)) {
    case 'values':
      return draft.values.length === 0 ? 'values' : null;
    case 'category':
      return draft.categoryId === '' ? 'category_id' : null;
    case 'date':
      return draft.date === '' ? 'date' : null;
    case 'days':
      return draft.days === '' ? 'days' : null;
    case 'value':
    case 'nothing':
      return null;
  }
}
