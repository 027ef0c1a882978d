import { misspeltOf, plainOf } from '../../../engine/contract/likely-name.ts';
import type { Source } from './sources/source.ts';

/** A field that an import does not know. */
export interface UnknownField {
  readonly name: string;
  /** Lines that hold something under it. */
  readonly lines: number;
  /** The field that was probably meant; null where it resembles none. */
  readonly likely: string | null;
}

/** A browser's `JSON.stringify(subscription)` has `keys` and `expirationTime` beside the endpoint. */
export const knownFields: ReadonlySet<string> = new Set([
  ...['endpoint', 'p256dh', 'auth', 'keys', 'expirationTime', 'user_identity', 'tags', 'country'],
  ...[
    'device_type',
    'device',
    'time_zone',
    'language',
    'created_at',
    'last_seen_at',
    'external_ids',
    'vapid_key',
  ],
]);
const optional = [
  'user_identity',
  'tags',
  'country',
  'device_type',
  'time_zone',
  'language',
  'created_at',
  'last_seen_at',
  'external_ids',
  'vapid_key',
];

/** Names that other services use. */
const synonyms: Readonly<Record<string, string>> = {
  createdon: 'created_at',
  subscribedat: 'created_at',
  countrycode: 'country',
  lang: 'language',
  locale: 'language',
  platform: 'device_type',
  segments: 'tags',
  timezone: 'time_zone',
  userid: 'user_identity',
  vapidpublickey: 'vapid_key',
};

/** The bound of the names kept: a file whose names are data would fill the memory. */
const MAX_NAMES = 50;
const MAX_NAME_LENGTH = 64;

/** Counts the fields of lines that are ignored, by name. Of another service's export none is likely meant. */
export function createUnknownFields(source: Source | null = null) {
  const isKnown = (name: string): boolean =>
    source === null ? knownFields.has(name) : source.known.has(source.nameOf?.(name) ?? name);
  const linesOf = new Map<string, number>();
  return {
    note: (value: unknown): void => {
      if (typeof value !== 'object' || value === null || Array.isArray(value)) return;
      for (const field in value) {
        if (isKnown(field) || isEmpty((value as Record<string, unknown>)[field])) continue;
        const name = field.slice(0, MAX_NAME_LENGTH);
        const lines = linesOf.get(name);
        if (lines === undefined && linesOf.size === MAX_NAMES) continue;
        linesOf.set(name, (lines ?? 0) + 1);
      }
    },
    /** Those that resemble a known field come first. */
    list: (): UnknownField[] =>
      [...linesOf]
        .map(([name, lines]) => ({ name, lines, likely: source === null ? likelyField(name) : null }))
        .toSorted((a, b) => Number(b.likely !== null) - Number(a.likely !== null) || b.lines - a.lines),
  };
}

const isEmpty = (value: unknown): boolean => value === undefined || value === null || value === '';

/** The optional field that a name resembles: required ones are missed line by line. */
export function likelyField(name: string): string | null {
  const plain = plainOf(name);
  const synonym = Object.hasOwn(synonyms, plain) ? synonyms[plain] : undefined;
  return synonym ?? misspeltOf(name, optional);
}
