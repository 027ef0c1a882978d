import {
  type Audience,
  type AudienceCondition,
  type AudienceRules,
  isGroup,
} from '../../contract/audience.ts';

/** A condition over `subscriptions`, never null, with its parameters. */
export interface Predicate {
  readonly text: string;
  readonly values: readonly unknown[];
}

const DAY_MS = 86_400_000;

const columns = {
  device_type: 'device_type',
  browser: 'browser_name',
  os: 'os_name',
  country: 'country',
  created: 'created_at',
  last_seen: 'last_seen_at',
  last_clicked: 'last_clicked_at',
} as const;

/**
 * The one meaning of an audience: counting it before, planning it, and fixing a block's share of it all use
 * this. Whatever a person wrote is a parameter; only words of our own are in the text.
 * @param taken how many parameters the statement has before these.
 */
export function audiencePredicate(audience: Audience, taken: number): Predicate {
  const values: unknown[] = [];
  const parameter = (value: unknown): string => `$${taken + values.push(value)}`;
  const parts = [
    audience.rules === null ? null : groupText(audience.rules, Date.parse(audience.at), parameter),
    audience.category_id === null ? null : receivesCategory(audience, parameter(audience.category_id)),
  ].filter((part) => part !== null);
  return { text: `(${parts.join(' AND ') || 'TRUE'})`, values };
}

type Parameter = (value: unknown) => string;

function groupText(group: AudienceRules, atMs: number, parameter: Parameter): string {
  const members = group.conditions.map((member) =>
    isGroup(member) ? groupText(member, atMs, parameter) : conditionText(member, atMs, parameter),
  );
  return `(${members.join(group.match === 'all' ? ' AND ' : ' OR ')})`;
}

const choseCategory = (id: string): string => `(${id}::integer = ANY(category_ids)) IS TRUE`;
const receivesCategory = ({ never_stated }: Audience, id: string): string =>
  never_stated === 'receive' ? `(category_ids IS NULL OR ${choseCategory(id)})` : choseCategory(id);
const tagIs = (key: string, test: string): string => `(tags ->> ${key}::text ${test}`;
const cutoff = (atMs: number, days: number): string => new Date(atMs - days * DAY_MS).toISOString();
/** The first moment of a day in UTC, or of the day after it. */
const startOf = (day: string, daysLater: number): string =>
  cutoff(Date.parse(`${day}T00:00:00Z`), -daysLater);

function conditionText(condition: AudienceCondition, atMs: number, parameter: Parameter): string {
  switch (condition.operator) {
    case 'equals':
      return `${tagIs(parameter(condition.key), `= ${parameter(condition.value)}::text`)}) IS TRUE`;
    case 'not_equals':
      return `${tagIs(parameter(condition.key), `= ${parameter(condition.value)}::text`)}) IS NOT TRUE`;
    case 'exists':
      return `(tags ? ${parameter(condition.key)}::text)`;
    case 'not_exists':
      return `(NOT tags ? ${parameter(condition.key)}::text)`;
    case 'in':
      return `${isAmong(condition, parameter)} IS TRUE`;
    case 'not_in':
      return `${isAmong(condition, parameter)} IS NOT TRUE`;
    case 'has':
      return choseCategory(parameter(condition.category_id));
    case 'has_not':
      return `(NOT ${choseCategory(parameter(condition.category_id))})`;
    case 'before':
      return compare(columns[condition.field], '<', parameter(startOf(condition.date, 0)));
    case 'after':
      return compare(columns[condition.field], '>=', parameter(startOf(condition.date, 1)));
    case 'within_days':
      return compare(columns[condition.field], '>=', parameter(cutoff(atMs, condition.days)));
    case 'more_than_days_ago':
      return compare(columns[condition.field], '<', parameter(cutoff(atMs, condition.days)));
    case 'never':
      return '(last_clicked_at IS NULL)';
  }
}

const compare = (column: string, operator: string, moment: string): string =>
  `(${column} ${operator} ${moment}::timestamptz) IS TRUE`;

type AmongCondition = Extract<AudienceCondition, { readonly operator: 'in' | 'not_in' }>;

/**
 * Tags as they are written; names in any case of Latin letters, in the collation that every Postgres has: an
 * audience must not change with the server's language. The list is a plain parameter, which Postgres hashes.
 */
function isAmong(condition: AmongCondition, parameter: Parameter): string {
  if (condition.field === 'tag') {
    return `${tagIs(parameter(condition.key), `= ANY(${parameter(condition.values)}::text[])`)})`;
  }
  const folded = parameter(condition.values.map(foldLatin));
  return `(lower(${columns[condition.field]} COLLATE "C") = ANY(${folded}::text[]))`;
}

const foldLatin = (text: string): string => text.replaceAll(/[A-Z]/g, (letter) => letter.toLowerCase());
