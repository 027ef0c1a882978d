import { type AudienceCondition, type AudienceRules, isGroup } from '../../engine/contract/audience.ts';
import { partOf } from './share-model.ts';

/** A subscription as rules see it. */
export interface Reader {
  readonly tags: Readonly<Record<string, string>>;
  readonly device_type: string | null;
  readonly browser_name: string | null;
  readonly os_name: string | null;
  readonly country: string | null;
  readonly category_ids: readonly number[] | null;
  readonly created_at: Date;
  readonly last_seen_at: Date;
  readonly last_clicked_at: Date | null;
  /** Null: the app's own. */
  readonly time_zone: string | null;
  /** The number of its row. */
  readonly seq: number;
}

/** What rules refer to besides the readers. */
export interface Asked {
  readonly at: Date;
  /** The app's own. */
  readonly zone: string;
  /** `12 clicked` → the seqs of those whom it reached. */
  readonly reached: Readonly<Record<string, readonly number[]>>;
}

const DAY_MS = 86_400_000;

/** The meaning of rules without SQL: the reference model for the compiled predicate. */
export function matches(rules: AudienceRules, reader: Reader, asked: Asked): boolean {
  const holds = rules.conditions.map((member) =>
    isGroup(member) ? matches(member, reader, asked) : conditionHolds(member, reader, asked),
  );
  return rules.match === 'all' ? holds.every(Boolean) : holds.some(Boolean);
}

function conditionHolds(condition: AudienceCondition, reader: Reader, asked: Asked): boolean {
  switch (condition.field) {
    case 'tag': {
      const value = Object.hasOwn(reader.tags, condition.key) ? reader.tags[condition.key] : undefined;
      if (condition.operator === 'equals') return value === condition.value;
      if (condition.operator === 'not_equals') return value !== condition.value;
      if (condition.operator === 'exists') return value !== undefined;
      if (condition.operator === 'in') return value !== undefined && condition.values.includes(value);
      if (condition.operator === 'not_in') return value === undefined || !condition.values.includes(value);
      return value === undefined;
    }
    case 'category': {
      const chose = reader.category_ids?.includes(condition.category_id) ?? false;
      return condition.operator === 'has' ? chose : !chose;
    }
    case 'device_type':
    case 'browser':
    case 'os':
    case 'country': {
      const name = nameOf(condition.field, reader);
      const among = name !== null && condition.values.some((value) => folded(value) === folded(name));
      return condition.operator === 'in' ? among : !among;
    }
    case 'time_zone': {
      const among = condition.values.includes(reader.time_zone ?? asked.zone);
      return condition.operator === 'in' ? among : !among;
    }
    case 'share': {
      const part = partOf(condition.key, reader.seq);
      const among = part >= condition.from && part < condition.below;
      return condition.operator === 'in' ? among : !among;
    }
    case 'delivery': {
      const [reach = '', not] = condition.operator.split('_').reverse();
      const was = asked.reached[`${condition.delivery_id} ${reach}`]?.includes(reader.seq) ?? false;
      return not === undefined ? was : !was;
    }
    case 'reachable': {
      const cutoff = asked.at.getTime() - 30 * DAY_MS;
      const isRecent = (moment: Date | null): boolean => moment !== null && moment.getTime() >= cutoff;
      const was = asked.reached['0 recent']?.includes(reader.seq) ?? false;
      const can = was || isRecent(reader.last_seen_at) || isRecent(reader.last_clicked_at);
      return condition.operator === 'is' ? can : !can;
    }
    default:
      return momentHolds(condition, reader, asked.at);
  }
}

const folded = (text: string): string => text.replaceAll(/[A-Z]/g, (letter) => letter.toLowerCase());

const nameOf = (field: 'device_type' | 'browser' | 'os' | 'country', reader: Reader): string | null =>
  ({
    device_type: reader.device_type,
    browser: reader.browser_name,
    os: reader.os_name,
    country: reader.country,
  })[field];

type MomentCondition = Extract<
  AudienceCondition,
  { readonly field: 'created' | 'last_seen' | 'last_clicked' }
>;

function momentHolds(condition: MomentCondition, reader: Reader, at: Date): boolean {
  const moment = {
    created: reader.created_at,
    last_seen: reader.last_seen_at,
    last_clicked: reader.last_clicked_at,
  }[condition.field];
  if (condition.operator === 'never') return moment === null;
  if (moment === null) return false;
  const day = moment.toISOString().slice(0, 10);
  if (condition.operator === 'before') return day < condition.date;
  if (condition.operator === 'after') return day > condition.date;
  const age = at.getTime() - moment.getTime();
  if (condition.operator === 'within_days') return age <= condition.days * DAY_MS;
  if (condition.operator === 'more_than_days_ago') return age > condition.days * DAY_MS;
  throw new Error(`no meaning of ${JSON.stringify(condition)}`);
}
