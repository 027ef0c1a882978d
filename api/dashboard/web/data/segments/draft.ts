import type { Body } from '../../../../http-client/client.ts';

export type Rules = Body<'/api/v1/client/apps/{identifier}/segments', 'post'>['rules'];
type Member = Rules['conditions'][number];
export type Condition = Exclude<Member, { conditions: unknown }>;

/** The API's limits: levels of groups, and conditions in all of them together. */
export const MAX_LEVELS = 3;
export const MAX_CONDITIONS = 50;

/** A rule while it is edited: every field of a row at once, so that nothing typed is lost when one changes its kind. */
export interface ConditionDraft {
  readonly kind: 'condition';
  readonly id: string;
  readonly field: Field;
  readonly operator: Operator;
  readonly key: string;
  readonly value: string;
  readonly values: readonly string[];
  readonly categoryId: string;
  readonly date: string;
  readonly days: number | '';
  readonly deliveryId: string;
  /** Percent of a split. */
  readonly from: number | '';
  readonly to: number | '';
}

export interface GroupDraft {
  readonly kind: 'group';
  readonly id: string;
  readonly match: 'all' | 'any';
  readonly members: readonly (GroupDraft | ConditionDraft)[];
}

export const fields = [
  'tag',
  'country',
  'device_type',
  'browser',
  'os',
  'category',
  'created',
  'last_seen',
  'last_clicked',
  'reachable',
  'time_zone',
  'delivery',
  'share',
] as const;
export type Field = (typeof fields)[number];
export type Operator =
  | 'equals'
  | 'not_equals'
  | 'in'
  | 'not_in'
  | 'exists'
  | 'not_exists'
  | 'has'
  | 'has_not'
  | 'before'
  | 'after'
  | 'within_days'
  | 'more_than_days_ago'
  | 'never'
  | 'is'
  | 'is_not'
  | `${'' | 'not_'}${'accepted' | 'displayed' | 'clicked'}`;

const moment = ['within_days', 'more_than_days_ago', 'after', 'before'] as const;

/** The first is a new row's default. */
export const operatorsOf: Readonly<Record<Field, readonly Operator[]>> = {
  tag: ['equals', 'not_equals', 'in', 'not_in', 'exists', 'not_exists'],
  country: ['in', 'not_in'],
  device_type: ['in', 'not_in'],
  browser: ['in', 'not_in'],
  os: ['in', 'not_in'],
  category: ['has', 'has_not'],
  created: moment,
  last_seen: moment,
  last_clicked: [...moment, 'never'],
  reachable: ['is', 'is_not'],
  time_zone: ['in', 'not_in'],
  delivery: ['not_clicked', 'clicked', 'not_displayed', 'displayed', 'not_accepted', 'accepted'],
  share: ['in', 'not_in'],
};

/** The input of a row beside its field and comparator. */
export type Asked = 'value' | 'values' | 'category' | 'date' | 'days' | 'delivery' | 'share' | 'nothing';
const asked: Readonly<Record<Operator, Asked>> = {
  equals: 'value',
  not_equals: 'value',
  in: 'values',
  not_in: 'values',
  exists: 'nothing',
  not_exists: 'nothing',
  has: 'category',
  has_not: 'category',
  before: 'date',
  after: 'date',
  within_days: 'days',
  more_than_days_ago: 'days',
  never: 'nothing',
  is: 'nothing',
  is_not: 'nothing',
  accepted: 'delivery',
  not_accepted: 'delivery',
  displayed: 'delivery',
  not_displayed: 'delivery',
  clicked: 'delivery',
  not_clicked: 'delivery',
};
export const askedBy = ({ field, operator }: ConditionDraft): Asked =>
  field === 'share' ? 'share' : asked[operator];

/** Of a tag, and of a split. */
export const hasKey = ({ field }: ConditionDraft): boolean => field === 'tag' || field === 'share';

const DEFAULT_DAYS = 30;
const DEFAULT_SHARE = 10;

export const newCondition = (): ConditionDraft => ({
  kind: 'condition',
  id: crypto.randomUUID(),
  field: 'country',
  operator: 'in',
  key: '',
  value: '',
  values: [],
  categoryId: '',
  date: '',
  days: DEFAULT_DAYS,
  deliveryId: '',
  from: 0,
  to: DEFAULT_SHARE,
});

export const newGroup = (members: GroupDraft['members'] = [newCondition()]): GroupDraft => ({
  kind: 'group',
  id: crypto.randomUUID(),
  match: 'all',
  members,
});

/** Another field keeps the comparator where it has it; values are of the field and do not fit another. */
export function withField(draft: ConditionDraft, field: Field): ConditionDraft {
  const operators = operatorsOf[field];
  const operator = operators.find((each) => each === draft.operator) ?? operators[0] ?? draft.operator;
  return { ...draft, field, operator, values: [] };
}

export const countConditions = (group: GroupDraft): number =>
  group.members.reduce((sum, each) => sum + (each.kind === 'group' ? countConditions(each) : 1), 0);
