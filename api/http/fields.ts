import { Type } from 'typebox';
import { wordPattern } from '../../engine/kit/http/validation-messages.ts';

/** Field schemas that several resources share. Descriptions become the OpenAPI text. */

const MAX_INT4 = 2_147_483_647;
export const idField = (description: string) => Type.Integer({ minimum: 1, maximum: MAX_INT4, description });

/** A text that is not a number names nothing: 404, like an unknown number. */
export function parsePathId(text: string): number | null {
  return /^[1-9]\d{0,9}$/.test(text) && Number(text) <= MAX_INT4 ? Number(text) : null;
}

export const shortText = (description: string) => Type.String({ minLength: 1, maxLength: 255, description });

/** What browsers, proxies and push services take without a doubt. */
export const MOST_URL_CHARACTERS = 2_048;

/** `http` or https only: anything else a click must not open (`javascript:`, `data:`). */
export const httpUrl = (description: string) =>
  Type.Refine(
    Type.String({
      maxLength: MOST_URL_CHARACTERS,
      description,
      documented: { format: 'uri', pattern: '^https?://' },
    }),
    isHttpUrl,
    () => 'must be a URL that starts with http:// or https://',
  );

/** A URL in an answer, as it was given: browsers open URLs with letters that no `uri` has. */
export const givenUrlPattern = '^[Hh][Tt][Tt][Pp][Ss]?://';
export const givenUrl = Type.String({ pattern: givenUrlPattern });

/** A URL's parser drops spaces and controls at its ends: what is added behind them would be no URL any more. */
export function isHttpUrl(text: unknown): boolean {
  if (typeof text !== 'string' || text.length > MOST_URL_CHARACTERS || /[\s\p{Cc}]/u.test(text)) return false;
  const url = URL.parse(text);
  return url !== null && /^https?:$/.test(url.protocol) && /^https?:\/\//i.test(text);
}

export const queryParams = Type.Refine(
  Type.Array(
    Type.Object({
      key: Type.String({ maxLength: 255, pattern: wordPattern }),
      value: Type.String({ maxLength: MOST_URL_CHARACTERS }),
    }),
    { maxItems: 20, description: 'Added to click-through URLs that do not have them. Keys are unique.' },
  ),
  (entries) => !Array.isArray(entries) || new Set(entries.map((entry) => entry?.key)).size === entries.length,
  () => 'must not name a key twice',
);

const isoTime = /^(\d{4})-(\d{2})-(\d{2})T(\d{2}):(\d{2})(?::(\d{2})(?:\.\d{1,9})?)?(Z|[+-]\d{2}:?\d{2})?$/;

/** ISO 8601 with a time; without an offset it is UTC. Null where it is none, the 30th of February too. */
export function parseTime(text: string): Date | null {
  const match = isoTime.exec(text);
  if (match === null || !isDay(Number(match[1]), Number(match[2]), Number(match[3]))) return null;
  const time = new Date(match[7] === undefined ? `${text}Z` : text.replace(/([+-]\d{2})(\d{2})$/, '$1:$2'));
  return Number.isNaN(time.getTime()) ? null : time;
}

function isDay(year: number, month: number, day: number): boolean {
  const date = new Date(Date.UTC(year, month - 1, day));
  return date.getUTCMonth() === month - 1 && date.getUTCDate() === day;
}

const DAY_MS = 86_400_000;

/** `YYYY-MM-DD` is the whole day in UTC; with a time it is that moment. */
export function parseDay(text: string): { readonly from: Date; readonly until: Date } | null {
  const day = /^(\d{4})-(\d{2})-(\d{2})$/.exec(text);
  if (day === null) {
    const moment = parseTime(text);
    return moment === null ? null : { from: moment, until: moment };
  }
  if (!isDay(Number(day[1]), Number(day[2]), Number(day[3]))) return null;
  const from = new Date(`${text}T00:00:00Z`);
  return { from, until: new Date(from.getTime() + DAY_MS - 1) };
}

/** With a fraction and an offset, a time has 35. */
export const MOST_TIME_CHARACTERS = 64;

const day = { type: 'string', format: 'date' } as const;
const moment = { type: 'string', format: 'date-time' } as const;

export const dayFilter = (description: string) =>
  Type.Refine(
    Type.String({ maxLength: MOST_TIME_CHARACTERS, description, documented: { anyOf: [day, moment] } }),
    (text) => typeof text !== 'string' || parseDay(text) !== null,
    () => 'must be a date such as 2026-01-31',
  );

export const futureTime = (description: string) =>
  Type.Refine(
    Type.Refine(
      Type.String({ maxLength: MOST_TIME_CHARACTERS, description, documented: moment }),
      (text) => typeof text !== 'string' || parseTime(text) !== null,
      () => 'must be an ISO 8601 time such as 2026-01-31T12:00:00+00:00',
    ),
    (text) =>
      typeof text !== 'string' || (parseTime(text)?.getTime() ?? Number.POSITIVE_INFINITY) > Date.now(),
    () => 'must be in the future',
  );

/** What the service itself writes of a resource, which may be sent back as it was read. */
export const storedFields = ['id', 'created_at', 'updated_at'];

/** `2026-01-31T12:00:00+00:00`, as the specification writes times. */
export const timestamp = (date: Date): string => `${date.toISOString().slice(0, 19)}+00:00`;
export const timestampOrNull = (date: Date | null): string | null => (date === null ? null : timestamp(date));

export const timeField = Type.String({ format: 'date-time' });
interface JsonType {
  readonly type: string;
  readonly format?: string;
  readonly pattern?: string;
  readonly description?: string;
}

/** A field that the resource always has, and that may be null. */
export const nullable = <T>(schema: JsonType) =>
  Type.Unsafe<T | null>({ ...schema, type: [schema.type, 'null'] });
export const nullableTime = nullable<string>({ type: 'string', format: 'date-time' });
const countryShape = {
  type: 'string',
  pattern: '^[A-Z]{2}$',
  description: 'ISO 3166-1, two letters.',
} as const;
export const countryField = Type.String(countryShape);
export const nullableCountry = nullable<string>(countryShape);
export const nullableText = nullable<string>({ type: 'string' });
export const nullableInteger = nullable<number>({ type: 'integer' });

/** Percent with two decimals; 0 of 0 is 0. */
export function percent(part: number, whole: number): number {
  return whole === 0 ? 0 : Math.round((part / whole) * 10_000) / 100;
}
