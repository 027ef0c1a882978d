import { type AdField, adCountFields, adTextFields } from '../../../../engine/contract/ad-stats.ts';
import { codedValue, isCodedField } from '../../../../engine/contract/ad-values/coded-values.ts';
import { DAY_MS, zoneOffsets } from '../../../../engine/contract/time-zone.ts';
import { HasHours, storedAt, type Times } from '../../../ingest/grain.ts';
import type { FileTexts } from '../fields.ts';
import { hourOfDay, STORED_DATE, writtenDate } from './date.ts';
import {
  currenciesOf,
  digitsOf,
  isNothing,
  isPlain,
  isUnsure,
  times,
  withoutExponent,
  writtenNumber,
} from './number.ts';
import { NeedsSurvey, type Style } from './survey.ts';

export type StoredTexts = Partial<Record<AdField, string>>;

export interface CleanRules {
  /** Null: not known yet. A value that needs it ends the reading with NeedsSurvey. */
  readonly style: Style | null;
  readonly pointIsDecimal: boolean;
  readonly times: Times;
  /** Whose the hours without an offset are; null: UTC. */
  readonly zone: string | null;
  /** What figures are multiplied by. */
  readonly scale: Readonly<Partial<Record<AdField, string>>>;
  /** Of rows that name none, as the operator, the source or the header says; null: nobody says. */
  readonly currency: string | null;
}

/** What rows count in where nothing says anything. */
export const DEFAULT_CURRENCY = 'EUR';

/** Why a row is set aside. */
export interface Refused {
  readonly reason: string;
}

/**
 * A row's values as this service stores them. What is not a value of its kind stays as it is: the rules of ClickHouse say
 * why it is set aside.
 * @throws NeedsSurvey, HasHours.
 */
export function createCleaner(rules: CleanRules): (texts: FileTexts) => StoredTexts | Refused {
  const toMoment = rules.zone === null ? null : createToMoment(rules.zone);

  function number(field: AdField, text: string): string | Refused {
    const scale = rules.scale[field] ?? '1';
    const unsure =
      isUnsure(text) && (rules.style === null ? !rules.pointIsDecimal || field !== 'earnings' : true);
    if (isPlain(text) && !unsure && rules.style?.mark !== ',') return times(withoutPoint(field, text), scale);
    if (isNothing(text)) return '';
    const plain = withoutExponent(text);
    if (plain !== null) return times(plain, scale);
    const written = writtenNumber(text);
    if (written === null) return text;
    if (written.isPercent)
      return { reason: `${field} is a percentage, and not a figure: map another column` };
    if (rules.style === null) throw new NeedsSurvey();
    const digits = digitsOf(written.body, rules.style.mark, field !== 'earnings');
    if (digits === null) return { reason: unlike(field, text) };
    const value = times(digits, scale);
    return written.negative && value !== '0' ? `-${value}` : value;
  }

  /** The day, or the time on the clocks of the file. */
  function moment(at: string, hour: string | undefined): string | Refused {
    if (hour === undefined && STORED_DATE.test(at)) return at;
    if (isNothing(at)) return '';
    const written = writtenDate(at);
    if (written === null) return at;
    const { days } = written;
    if (days.certain === undefined && rules.style === null) throw new NeedsSurvey();
    const order = rules.style?.order ?? null;
    const day = days.certain ?? (order === null ? Object.values(days)[0] : days[order]);
    if (day === undefined) return { reason: `at is written in another order than ${order}` };
    if (hour !== undefined && !isNothing(hour)) return hourOn(day, hour);
    return written.time === null ? day : `${day}T${written.time}${written.offset ?? ''}`;
  }

  /** With a column of hours, midnight is an hour too. */
  function hourOn(day: string, hour: string): string | Refused {
    const hours = hourOfDay(hour);
    if (hours === null) {
      const whole = writtenDate(hour);
      if (whole?.days.certain !== day || whole.time === null) return { reason: 'hour is none of 0 to 23' };
      return `${day}T${whole.time}${whole.offset ?? ''}`;
    }
    if (rules.times.declared === null && rules.times.midnightIs === 'day') throw new HasHours();
    return `${day}T${String(hours).padStart(2, '0')}:00:00`;
  }

  function at(texts: FileTexts): string | Refused {
    const own = texts.at ?? '';
    const found =
      own === '' && texts.hour !== undefined ? moment(texts.hour, undefined) : moment(own, texts.hour);
    if (typeof found !== 'string') return found;
    const stored = storedAt(found, rules.times);
    if (typeof stored !== 'string' || toMoment === null || stored.length < 16) return stored;
    return /(?:Z|[+-]\d{2}:?\d{2})\s*$/.test(stored.slice(16)) ? stored : toMoment(stored);
  }

  return (texts) => {
    const stored: StoredTexts = {};
    for (const field of adTextFields) {
      const text = texts[field];
      if (text !== undefined) stored[field] = isNoText(field, text) ? '' : onOneLine(text);
    }
    for (const field of figures) {
      const text = texts[field];
      if (text === undefined || text === '') continue;
      const figure = isDigits(text) && rules.scale[field] === undefined ? text : number(field, text.trim());
      if (typeof figure !== 'string') return figure;
      stored[field] = figure;
    }
    const when = at(texts);
    if (typeof when !== 'string') return when;
    stored.at = when;
    const currency = currencyOf(texts, rules.currency);
    if (typeof currency !== 'string') return currency;
    stored.currency = currency;
    return stored;
  };
}

const unlike = (field: AdField, text: string): string =>
  field !== 'earnings' && isPlain(text)
    ? `${field} is not a whole number of at most 15 digits`
    : `${field} is not written like the other numbers of the file`;

const figures: readonly AdField[] = [...adCountFields, 'earnings'];

/** With what a text that means nothing begins: a dash, a bracket, an N, or a space. Most others do not. */
const starts = new Set([0x20, 0x28, 0x2d, 0x4e, 0x6e, 0xa0, 0x2013, 0x2014]);
const mayBeNothing = (text: string): boolean => text.length <= 20 && starts.has(text.charCodeAt(0));

/** Names with line ends in them are of people who wrote them in a form. */
const onOneLine = (text: string): string =>
  /[\t\r\n]/.test(text) ? text.replaceAll(/[\t\r\n]+/g, ' ') : text;

/** `NA` is Namibia where countries stand, and nothing elsewhere. */
const isNoText = (field: AdField, text: string): boolean =>
  mayBeNothing(text) &&
  isNothing(text.trim()) &&
  !(isCodedField(field) && (codedValue(field, text) ?? '') !== '');

/** Most figures are nothing else. */
function isDigits(text: string): boolean {
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code < 0x30 || code > 0x39) return false;
  }
  return true;
}

/** `12.0` impressions are 12. */
const withoutPoint = (field: AdField, text: string): string =>
  field === 'earnings' || !text.includes('.') ? text : text.replace(/\.0+$/, '');

/** Nobody knows that it is euros, where other rows of the column are in another currency. */
const NO_CURRENCY = 'currency is empty beside an amount: --currency says it for rows that name none';

/** @returns the code of a row, or why its amount cannot be in it. */
function currencyOf(texts: FileTexts, stated: string | null): string | Refused {
  const own = texts.currency ?? '';
  const named =
    own === '' || (mayBeNothing(own) && isNothing(own.trim())) ? stated : own.trim().toUpperCase();
  const earnings = texts.earnings ?? '';
  const sign = earnings === '' || isPlain(earnings) ? null : (writtenNumber(earnings)?.money ?? null);
  if (sign === null) {
    const isLeftOpen = named === null && texts.currency !== undefined && /[1-9]/.test(earnings);
    return isLeftOpen ? { reason: NO_CURRENCY } : (named ?? DEFAULT_CURRENCY);
  }
  const meant = currenciesOf(sign);
  if (named === null && meant.length === 1) return meant[0] ?? DEFAULT_CURRENCY;
  if (named === null) throw new NeedsSurvey();
  return meant.includes(named)
    ? named
    : { reason: `earnings is in ${sign}, and the currency of the row is ${named}` };
}

/** A time on a zone's clocks as the moment it was: the earlier one where the clocks show it twice. */
function createToMoment(zone: string): (local: string) => string | Refused {
  const known = new Map<string, string | Refused>();
  return (local) => {
    const found = known.get(local) ?? momentOf(zone, local);
    // A file has few hours, and its times are of hours.
    if (known.size < 100_000) known.set(local, found);
    return found;
  };
}

function momentOf(zone: string, local: string): string | Refused {
  const wall = Date.parse(`${local.trim().replace(' ', 'T')}Z`);
  // No moment at all: the rules of ClickHouse say so.
  if (Number.isNaN(wall)) return local;
  const offsets = zoneOffsets(zone, wall - 2 * DAY_MS, wall + 2 * DAY_MS);
  for (const [index, { fromMs, seconds }] of offsets.entries()) {
    const at = wall - seconds * 1_000;
    const until = offsets[index + 1]?.fromMs ?? Number.POSITIVE_INFINITY;
    if ((index === 0 || at >= fromMs) && at < until) return `${new Date(at).toISOString().slice(0, 19)}Z`;
  }
  return { reason: `at does not exist in ${zone}: its clocks go forward over it` };
}
