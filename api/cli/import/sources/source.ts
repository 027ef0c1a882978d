/** The fields of a record as the file has them. */
export type Fields = Readonly<Record<string, unknown>>;

/** A record in the names of the plain form, or why it cannot be moved. */
export type Converted = { readonly fields: Fields } | { readonly lost: string };

/** An export of another service. */
export interface Source {
  /** Of `--from`. */
  readonly name: string;
  /** For people. */
  readonly title: string;
  /** Columns of a CSV without which no row of it could be moved, each under one of its names, and how to get them. */
  readonly columns: readonly (readonly string[])[];
  readonly howToGetThem: string;
  /** Fields that are read. The others are listed, because nothing is left out silently. */
  readonly known: ReadonlySet<string>;
  /** What a name is compared by, where exports write it in several ways. */
  readonly nameOf?: (name: string) => string;
  readonly convert: (fields: Fields) => Converted;
}

export const isGiven = (value: unknown): boolean => value !== undefined && value !== null && value !== '';

/** The first of these fields that holds something. */
export const firstOf = (fields: Fields, names: readonly string[]): unknown =>
  names.map((name) => fields[name]).find(isGiven);

/** A text of it; empty where it is none. */
export const textOf = (value: unknown): string =>
  typeof value === 'string' ? value.trim() : typeof value === 'number' ? String(value) : '';

const SECONDS = /^\d{9,10}$/;
const MILLISECONDS = /^\d{12,13}$/;
const SPACED = /^(\d{4}-\d{2}-\d{2}) (\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?) ?(UTC|Z|[+-]\d{2}:?\d{2})?$/;

/** Times as exports write them (`2026-01-05 10:00:00 UTC`, Unix times) in ISO 8601; anything else stays as it is. */
export function isoOf(value: unknown): unknown {
  const text = textOf(value);
  if (SECONDS.test(text)) return new Date(Number(text) * 1_000).toISOString();
  if (MILLISECONDS.test(text)) return new Date(Number(text)).toISOString();
  const [, day, time = '', zone = 'UTC'] = SPACED.exec(text) ?? [];
  if (day === undefined) return value;
  const offset = zone === 'UTC' || zone === 'Z' ? 'Z' : zone.replace(/(\d{2})(\d{2})$/, '$1:$2');
  return `${day}T${time.length === 5 ? `${time}:00` : time}${offset}`;
}

/** True as databases write it. */
export const isTrue = (value: unknown): boolean =>
  value === true || ['true', 't', '1', 'yes'].includes(textOf(value).toLowerCase());

/** An FCM registration token: an id, a colon, and what begins with APA91b. */
export const isRegistrationToken = (text: string): boolean => /^[\w-]{8,40}:APA91b[\w-]{80,}$/.test(text);

export const REGISTRATION_TOKEN =
  'is an FCM registration token: it belongs to its Firebase project and has no endpoint and no keys. ' +
  'Its browser is moved when it comes to the site';
