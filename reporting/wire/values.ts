import { dayNumber, dayText } from '../../engine/contract/days.ts';
import { WireError } from './wire-error.ts';

/** A value of an SQL expression. */
export type Value = null | boolean | number | string | Exact | Moment | Interval | readonly Value[];

/** A number of any size with all its digits, such as the texts of money that ClickHouse wrote. */
export interface Exact {
  readonly kind: 'exact';
  readonly text: string;
}

/** A date (`ms` of its midnight) or a timestamp, in UTC. */
export interface Moment {
  readonly kind: 'date' | 'timestamp' | 'timestamptz';
  readonly ms: number;
}

export interface Interval {
  readonly kind: 'interval';
  readonly months: number;
  readonly ms: number;
}

/** Types that leave here, and their numbers in Postgres' `pg_type.dat`. */
export const oids = {
  bool: 16,
  name: 19,
  int8: 20,
  int2: 21,
  int4: 23,
  text: 25,
  oid: 26,
  float8: 701,
  varchar: 1043,
  date: 1082,
  timestamp: 1114,
  timestamptz: 1184,
  interval: 1186,
  numeric: 1700,
  /** An array of texts, or of what clients write as one. */
  _text: 1009,
} as const;
export type SqlType = keyof typeof oids;

/** Bytes of a value of the type; -1: it varies. */
export const sizeOf: Readonly<Record<SqlType, number>> = {
  bool: 1,
  name: 64,
  int8: 8,
  int2: 2,
  int4: 4,
  text: -1,
  oid: 4,
  float8: 8,
  varchar: -1,
  date: 4,
  timestamp: 8,
  timestamptz: 8,
  interval: 16,
  numeric: -1,
  _text: -1,
};

const byOid = new Map<number, SqlType>(Object.entries(oids).map(([name, oid]) => [oid, name as SqlType]));
/** Names that mean one of these; `bpchar` and others that clients declare for texts are text. */
const alike: Readonly<Record<number, SqlType>> = {
  700: 'float8',
  18: 'text',
  705: 'text',
  1042: 'text',
  114: 'text',
  1007: '_text',
  1015: '_text',
  1016: '_text',
  1182: '_text',
  1231: '_text',
};
export const typeOfOid = (oid: number): SqlType | null => byOid.get(oid) ?? alike[oid] ?? null;

const typeNames: Readonly<Record<string, SqlType>> = {
  ...{ bool: 'bool', boolean: 'bool', int2: 'int2', int4: 'int4', int8: 'int8', oid: 'oid', name: 'name' },
  ...{ float4: 'float8', float8: 'float8', numeric: 'numeric', text: 'text', varchar: 'varchar' },
  ...{ bpchar: 'text', char: 'text', date: 'date', timestamp: 'timestamp', timestamptz: 'timestamptz' },
  ...{ interval: 'interval', regclass: 'text', regtype: 'text', regnamespace: 'text', regproc: 'text' },
  ...{ xid: 'int8', int2vector: 'text', oidvector: 'text', aclitem: 'text' },
};
/** @returns null: a type that is not known here. */
export const typeNamed = (name: string): SqlType | null =>
  (Object.hasOwn(typeNames, name) ? typeNames[name] : undefined) ?? null;

export const DAY = 86_400_000;
const kindOf = (value: Value): string | null =>
  typeof value === 'object' && value !== null && 'kind' in value ? value.kind : null;
export const isExact = (value: Value): value is Exact => kindOf(value) === 'exact';
export const isInterval = (value: Value): value is Interval => kindOf(value) === 'interval';
export const isMoment = (value: Value): value is Moment =>
  kindOf(value) !== null && !isExact(value) && !isInterval(value);
export const exactOf = (text: string): Exact => ({ kind: 'exact', text });
export const isList = (value: Value): value is readonly Value[] => Array.isArray(value);

/** Of a text its characters, of a list those of all its values: no more than a client can write in one message. */
const MAX_WEIGHT = 262_144;
const weights = new WeakMap<readonly Value[], number>();

/**
 * What it takes to read a value once. A list remembers its own, for the same list may be in others any number of times.
 * @throws WireError for a value that grew beyond all that clients write.
 */
export function weightOf(value: Value): number {
  if (typeof value === 'string') return withinBounds(value.length);
  if (value === null || !isList(value)) return 1;
  let weight = weights.get(value) ?? 0;
  if (weight > 0) return weight;
  weight = value.length + 1;
  for (const one of value) weight = withinBounds(weight + weightOf(one));
  weights.set(value, weight);
  return weight;
}

/** @throws WireError where a text or list would have more than this. */
export function withinBounds(weight: number): number {
  if (weight > MAX_WEIGHT) throw new WireError('54000', 'a value of the statement grows too large');
  return weight;
}

export const dateOf = (day: number): Moment => ({ kind: 'date', ms: day * DAY });

/** The text of a value, as Postgres writes it. */
export function textOf(value: Exclude<Value, null>): string {
  if (typeof value === 'boolean') return value ? 't' : 'f';
  if (typeof value === 'number' || typeof value === 'string') return String(value);
  if (isExact(value)) return value.text;
  if (isInterval(value)) return `${value.months} mons ${value.ms / 1_000} secs`;
  if (isMoment(value)) return momentText(value);
  return `{${value.map((one) => (one === null ? 'NULL' : textOf(one))).join(',')}}`;
}

function momentText({ kind, ms }: Moment): string {
  const day = dayText(Math.floor(ms / DAY));
  if (kind === 'date') return day;
  const clock = new Date(ms).toISOString().slice(11, 23).replace('.000', '');
  return `${day} ${clock}${kind === 'timestamptz' ? '+00' : ''}`;
}

const wrong = (type: string, text: string): WireError =>
  new WireError(
    type === 'date' || type.startsWith('timestamp') ? '22007' : '22P02',
    `invalid input syntax for type ${type}: "${text.slice(0, 40)}"`,
  );

const moment =
  /^(\d{4}-\d{2}-\d{2})(?:[T ](\d{2}:\d{2}(?::\d{2}(?:\.\d{1,6})?)?))? ?(Z|[+-]\d{2}(?::?\d{2})?)?$/;

function parseMoment(kind: Moment['kind'], text: string): Moment {
  const [, day = '', clock = '00:00', zone = 'Z'] = moment.exec(text.trim()) ?? [];
  const number = dayNumber(day);
  if (number === null) throw wrong(kind, text);
  if (kind === 'date') return dateOf(number);
  const offset = zone === 'Z' ? 'Z' : `${zone.slice(0, 3)}:${zone.slice(3).replace(':', '') || '00'}`;
  const ms = Date.parse(
    `${day}T${clock.length === 5 ? `${clock}:00` : clock}${kind === 'timestamptz' ? offset : 'Z'}`,
  );
  if (Number.isNaN(ms)) throw wrong(kind, text);
  return { kind, ms };
}

const intervalUnits: Readonly<Record<string, readonly [months: number, ms: number]>> = {
  year: [12, 0],
  mon: [1, 0],
  month: [1, 0],
  week: [0, 7 * DAY],
  day: [0, DAY],
  hour: [0, 3_600_000],
  minute: [0, 60_000],
  min: [0, 60_000],
  second: [0, 1_000],
  sec: [0, 1_000],
};

function parseInterval(text: string): Interval {
  const parts = [...text.matchAll(/(-?\d{1,9}(?:\.\d{1,6})?)\s*([a-z]{1,8})/gi)];
  if (parts.length === 0) throw wrong('interval', text);
  let [months, ms] = [0, 0];
  for (const [, amount, unit = ''] of parts) {
    const known = intervalUnits[unit.toLowerCase().replace(/s$/, '')];
    if (known === undefined) throw wrong('interval', text);
    months += Number(amount) * known[0];
    ms += Number(amount) * known[1];
  }
  return { kind: 'interval', months, ms };
}

const yes = new Set(['t', 'true', 'y', 'yes', 'on', '1']);
const no = new Set(['f', 'false', 'n', 'no', 'off', '0']);

/** The number of the one table in the catalogue. */
export const TABLE_OID = 16_384;
const isTableName = (value: Value): boolean => value === 'ad_statistics' || value === 'public.ad_statistics';

/** The value as one of a type, as a cast makes it. @throws WireError where it is none. */
export function castTo(type: SqlType, value: Value): Value {
  if (value === null || isList(value)) return value;
  switch (type) {
    case 'date':
      if (isMoment(value)) return dateOf(Math.floor(value.ms / DAY));
      return parseMoment('date', textOf(value));
    case 'timestamp':
    case 'timestamptz':
      return isMoment(value) ? { kind: type, ms: value.ms } : parseMoment(type, textOf(value));
    case 'interval':
      return isInterval(value) ? value : parseInterval(textOf(value));
    case 'bool': {
      if (typeof value === 'boolean') return value;
      const text = textOf(value).toLowerCase();
      if (yes.has(text)) return true;
      if (no.has(text)) return false;
      throw wrong('boolean', text);
    }
    case 'numeric':
      return numberText(value, type, /^-?\d{1,40}(\.\d{1,40})?$/);
    case 'int8':
      return numberText(value, type, /^-?\d{1,19}$/);
    case 'oid':
      if (isTableName(value)) return TABLE_OID;
      return Math.round(numberOf(value, type));
    case 'int2':
    case 'int4':
      return Math.round(numberOf(value, type));
    case 'float8':
      return numberOf(value, type);
    case 'text':
    case 'varchar':
    case 'name':
      return textOf(value);
    case '_text':
      return arrayOf(textOf(value));
  }
}

function numberText(value: Exclude<Value, null>, type: SqlType, exact: RegExp): Value {
  const text = textOf(value);
  if (exact.test(text)) return exactOf(text);
  const number = numberOf(value, type);
  return type === 'int8' ? Math.round(number) : number;
}

/** @throws WireError where the value is not a number. */
export function numberOf(value: Value, type = 'numeric'): number {
  if (typeof value === 'number') return value;
  if (typeof value === 'boolean') return value ? 1 : 0;
  const text = value === null ? '' : textOf(value).trim();
  const number = Number(text);
  if (text === '' || Number.isNaN(number)) throw wrong(type, text);
  return number;
}

/** `{a,b}`, without nesting. */
export const arrayOf = (text: string): Value[] => {
  const inner = text.replace(/^\{|\}$/g, '');
  return inner === '' ? [] : inner.split(',').map((one) => one.replace(/^"|"$/g, ''));
};
