import { zoneName, zoneOffsets } from '../../engine/contract/time-zone.ts';
import {
  arrayOf,
  castTo,
  DAY,
  isList,
  isMoment,
  type Moment,
  numberOf,
  type SqlType,
  textOf,
  typeNamed,
  type Value,
  withinBounds,
} from './values.ts';
import { unsupported, WireError } from './wire-error.ts';

type Called = (args: readonly Value[], nowMs: number) => Value;
interface SqlFunction {
  readonly type: SqlType;
  readonly call: Called;
}

export const SERVER_VERSION = '16.0';
const VERSION_TEXT = `PostgreSQL ${SERVER_VERSION} (reports of Broadside, read-only)`;
/** Of texts that a function makes longer. */
const MAX_TEXT = 65_536;

const always = (type: SqlType, value: Value): SqlFunction => ({ type, call: () => value });
const strict =
  (call: (args: readonly Exclude<Value, null>[]) => Value): Called =>
  (args) => {
    const given = args.filter((arg) => arg !== null);
    return given.length < args.length ? null : call(given);
  };
const ofText = (call: (text: string, ...more: string[]) => Value): SqlFunction => ({
  type: 'text',
  call: strict(([text = '', ...more]) => call(textOf(text), ...more.map(textOf))),
});
const ofNumber = (call: (value: number, other: number) => number): SqlFunction => ({
  type: 'float8',
  call: strict(([value = 0, other = 0]) => call(numberOf(value), numberOf(other))),
});

function momentOf(value: Value): Moment {
  const moment = value !== null && isMoment(value) ? value : castTo('timestamp', value);
  if (moment === null || !isMoment(moment)) throw new WireError('22007', 'a date is needed here');
  return moment;
}

function truncated(unit: string, moment: Moment): Moment {
  const date = new Date(moment.ms);
  const [year, month] = [date.getUTCFullYear(), date.getUTCMonth()];
  const kind = moment.kind === 'date' ? 'timestamptz' : moment.kind;
  const at = (ms: number): Moment => ({ kind, ms });
  const day = Math.floor(moment.ms / DAY);
  switch (unit.toLowerCase()) {
    case 'second':
      return at(Math.floor(moment.ms / 1_000) * 1_000);
    case 'minute':
      return at(Math.floor(moment.ms / 60_000) * 60_000);
    case 'hour':
      return at(Math.floor(moment.ms / 3_600_000) * 3_600_000);
    case 'day':
      return at(day * DAY);
    case 'week':
      // 1 January 1970 was a Thursday.
      return at((day - ((((day + 3) % 7) + 7) % 7)) * DAY);
    case 'month':
      return at(Date.UTC(year, month));
    case 'quarter':
      return at(Date.UTC(year, month - (month % 3)));
    case 'year':
      return at(Date.UTC(year, 0));
    default:
      throw new WireError('22023', `unit "${unit.slice(0, 20)}" not recognized`);
  }
}

/** `AT TIME ZONE`: what clocks there show at a moment, or the moment at which they show it. */
function inZone(text: string, { kind, ms }: Moment): Moment {
  const zone = zoneName(text);
  if (zone === null) throw new WireError('22023', `time zone "${text.slice(0, 40)}" not recognized`);
  const offsetAt = (moment: number): number => (zoneOffsets(zone, moment, moment)[0]?.seconds ?? 0) * 1_000;
  if (kind !== 'timestamp') return { kind: 'timestamp', ms: ms + offsetAt(ms) };
  return { kind: 'timestamptz', ms: ms - offsetAt(ms - offsetAt(ms)) };
}

function extracted(unit: string, moment: Moment): number {
  const date = new Date(moment.ms);
  switch (unit.toLowerCase()) {
    case 'epoch':
      return moment.ms / 1_000;
    case 'year':
      return date.getUTCFullYear();
    case 'quarter':
      return Math.floor(date.getUTCMonth() / 3) + 1;
    case 'month':
      return date.getUTCMonth() + 1;
    case 'day':
      return date.getUTCDate();
    case 'dow':
      return date.getUTCDay();
    case 'isodow':
      return date.getUTCDay() || 7;
    case 'hour':
      return date.getUTCHours();
    case 'minute':
      return date.getUTCMinutes();
    case 'second':
      return date.getUTCSeconds();
    default:
      throw new WireError('22023', `unit "${unit.slice(0, 20)}" not recognized`);
  }
}

function formatted(moment: Moment, pattern: string): string {
  const iso = new Date(moment.ms).toISOString();
  const parts: Readonly<Record<string, string>> = {
    ...{ YYYY: iso.slice(0, 4), MM: iso.slice(5, 7), DD: iso.slice(8, 10) },
    ...{ HH24: iso.slice(11, 13), MI: iso.slice(14, 16), SS: iso.slice(17, 19) },
  };
  if (!/^(YYYY|MM|DD|HH24|MI|SS|[-/.: ])*$/.test(pattern))
    throw unsupported('to_char takes YYYY, MM, DD, HH24, MI and SS');
  return pattern.replace(/YYYY|MM|DD|HH24|MI|SS/g, (part) => parts[part] ?? part);
}

const now: SqlFunction = { type: 'timestamptz', call: (_args, ms) => ({ kind: 'timestamptz', ms }) };
const part: SqlFunction = {
  type: 'float8',
  call: strict(([unit = '', value = '']) => extracted(textOf(unit), momentOf(value))),
};
const quoted = (text: string): string =>
  /^[a-z_][a-z0-9_]*$/.test(text) ? text : `"${text.replaceAll('"', '""')}"`;
const sqlNames: Readonly<Record<string, string>> = {
  ...{
    '16': 'boolean',
    '19': 'name',
    '20': 'bigint',
    '21': 'smallint',
    '23': 'integer',
    '25': 'text',
    '26': 'oid',
  },
  ...{ '701': 'double precision', '1043': 'character varying', '1082': 'date', '1700': 'numeric' },
  ...{ '1114': 'timestamp without time zone', '1184': 'timestamp with time zone' },
};

const arrayLength: SqlFunction = {
  type: 'int4',
  call: ([list = null]) => (list !== null && isList(list) && list.length > 0 ? list.length : null),
};
const textLength: SqlFunction = { type: 'int4', call: strict(([text = '']) => textOf(text).length) };
const maySelect: SqlFunction = {
  type: 'bool',
  call: (args) => /^select$/i.test(textOf(args.at(-1) ?? '')),
};

/** A type as SQL spells it. */
export const sqlNameOf = (oid: number | string): string =>
  (Object.hasOwn(sqlNames, oid) ? sqlNames[String(oid)] : undefined) ?? 'text';

/** @throws WireError before a text is made that is too large. */
function joined(texts: readonly string[], by: string): string {
  withinBounds(texts.reduce((sum, text) => sum + text.length + by.length, 0));
  return texts.join(by);
}

/** All that may be called, by name. */
export const functions: Readonly<Record<string, SqlFunction>> = {
  now,
  transaction_timestamp: now,
  statement_timestamp: now,
  clock_timestamp: now,
  date_trunc: {
    type: 'timestamptz',
    call: strict(([unit = '', value = '']) => truncated(textOf(unit), momentOf(value))),
  },
  extract: part,
  date_part: part,
  to_char: {
    type: 'text',
    call: strict(([value = '', pattern = '']) => formatted(momentOf(value), textOf(pattern))),
  },
  to_date: { type: 'date', call: strict(([text = '']) => castTo('date', text)) },
  to_timestamp: {
    type: 'timestamptz',
    call: strict(([value = 0]) => ({ kind: 'timestamptz', ms: numberOf(value) * 1_000 })),
  },
  make_date: {
    type: 'date',
    call: strict(([y = 0, m = 1, d = 1]) => ({
      kind: 'date',
      ms: Date.UTC(numberOf(y), numberOf(m) - 1, numberOf(d)),
    })),
  },
  timezone: {
    type: 'timestamp',
    call: strict(([zone = '', value = '']) => inZone(textOf(zone), momentOf(value))),
  },
  floor: ofNumber(Math.floor),
  ceil: ofNumber(Math.ceil),
  ceiling: ofNumber(Math.ceil),
  abs: ofNumber(Math.abs),
  round: ofNumber((value, places) => Math.round(value * 10 ** places) / 10 ** places),
  lower: ofText((text) => text.toLowerCase()),
  upper: ofText((text) => text.toUpperCase()),
  btrim: ofText((text) => text.trim()),
  length: textLength,
  char_length: textLength,
  substring: ofText((text, from = '1', count = '') => {
    const start = Math.max(0, Number(from) - 1);
    return text.slice(start, count === '' ? undefined : start + Math.max(0, Number(count)));
  }),
  left: ofText((text, count = '0') => text.slice(0, Number(count))),
  replace: ofText((text, from = '', to = '') => (from === '' ? text : joined(text.split(from), to))),
  split_part: ofText((text, by = '', field = '1') => text.split(by)[Number(field) - 1] ?? ''),
  concat: {
    type: 'text',
    call: (args) =>
      args
        .map((arg) => (arg === null ? '' : textOf(arg)))
        .join('')
        .slice(0, MAX_TEXT),
  },
  quote_ident: ofText(quoted),
  parse_ident: ofText((name) => name.split('.').map((part) => part.replace(/^"|"$/g, ''))),
  format: ofText((pattern, ...given) =>
    pattern
      .replace(/%[sI]/g, (kind) => (kind === '%I' ? quoted : String)(given.shift() ?? ''))
      .slice(0, MAX_TEXT),
  ),
  quote_literal: ofText((text) => `'${text.replaceAll("'", "''")}'`),
  string_to_array: ofText((text, by = '') => text.split(by)),
  array_to_string: {
    type: 'text',
    call: strict(([list = [], by = '']) =>
      joined(
        (isList(list) ? list : arrayOf(textOf(list))).map((one) => (one === null ? '' : textOf(one))),
        textOf(by),
      ),
    ),
  },
  array_length: arrayLength,
  array_upper: arrayLength,
  array_lower: {
    type: 'int4',
    call: ([list = null]) => (list !== null && isList(list) && list.length > 0 ? 1 : null),
  },
  version: always('text', VERSION_TEXT),
  current_database: always('name', 'broadside'),
  current_schema: always('name', 'public'),
  current_schemas: always('text', ['public']),
  pg_backend_pid: always('int4', 0),
  pg_is_in_recovery: always('bool', false),
  pg_postmaster_start_time: now,
  pg_encoding_to_char: always('name', 'UTF8'),
  pg_client_encoding: always('name', 'UTF8'),
  pg_get_userbyid: always('name', 'reports'),
  pg_my_temp_schema: always('oid', 0),
  pg_is_other_temp_schema: always('bool', false),
  pg_table_is_visible: always('bool', true),
  pg_type_is_visible: always('bool', true),
  pg_function_is_visible: always('bool', true),
  has_schema_privilege: always('bool', true),
  has_database_privilege: always('bool', true),
  has_table_privilege: maySelect,
  has_column_privilege: maySelect,
  has_any_column_privilege: maySelect,
  pg_get_expr: always('text', null),
  pg_get_viewdef: always('text', null),
  pg_get_indexdef: always('text', null),
  pg_get_constraintdef: always('text', null),
  pg_get_partkeydef: always('text', null),
  pg_get_serial_sequence: always('text', null),
  pg_relation_is_publishable: always('bool', false),
  pg_relation_size: always('int8', 0),
  pg_total_relation_size: always('int8', 0),
  pg_table_size: always('int8', 0),
  pg_database_size: always('int8', 0),
  pg_tablespace_size: always('int8', 0),
  pg_tablespace_location: always('text', ''),
  pg_size_pretty: always('text', '0 bytes'),
  pg_stat_get_numscans: always('int8', 0),
  obj_description: always('text', null),
  shobj_description: always('text', null),
  format_type: {
    type: 'text',
    call: strict(([oid = '']) => sqlNameOf(textOf(oid))),
  },
  to_regclass: ofText((name) => (/^("?public"?\.)?"?ad_statistics"?$/.test(name) ? 'ad_statistics' : null)),
  to_regtype: ofText((name) => (typeNamed(name) === null ? null : name)),
  current_setting: ofText((name) => settingText(name)),
  set_config: ofText((_name, value = '') => value),
};

const settings: Readonly<Record<string, string>> = {
  search_path: '"$user", public',
  server_version: SERVER_VERSION,
  server_version_num: '160000',
  server_encoding: 'UTF8',
  client_encoding: 'UTF8',
  standard_conforming_strings: 'on',
  timezone: 'UTC',
  datestyle: 'ISO, MDY',
  intervalstyle: 'postgres',
  integer_datetimes: 'on',
  max_identifier_length: '63',
  max_index_keys: '32',
  transaction_isolation: 'read committed',
  transaction_read_only: 'on',
  default_transaction_read_only: 'on',
  default_transaction_isolation: 'read committed',
  is_superuser: 'off',
  session_authorization: 'reports',
  bytea_output: 'hex',
  lc_collate: 'C',
  lc_ctype: 'C.UTF-8',
  extra_float_digits: '1',
  statement_timeout: '0',
};
export const fixedSettings = settings;

/** @throws WireError where there is none of the name. */
export function settingText(name: string): string {
  const key = name.toLowerCase();
  const value = Object.hasOwn(settings, key) ? settings[key] : undefined;
  if (value === undefined)
    throw new WireError('42704', `unrecognized configuration parameter "${name.slice(0, 60)}"`);
  return value;
}

/** @throws WireError for a function that is not of the grammar. */
export function callFunction(name: string, args: readonly Value[], nowMs: number): Value {
  const known = Object.hasOwn(functions, name) ? functions[name] : undefined;
  if (known === undefined)
    throw new WireError(
      '42883',
      `function ${name.slice(0, 60)} is not supported`,
      'Sums are sum(impressions) or sum(earnings); ecpm and avg(ecpm) are the eCPM of the sums.',
    );
  return known.call(args, nowMs);
}
