import { isId } from '../../format/is-id.ts';
import { deviceTypes } from '../../format/known-names.ts';
import { pageSearch } from '../../format/page-search.ts';

export const sorts = ['created_at', 'last_seen_at', 'last_clicked_at', 'notifications_sent'] as const;
export type Sort = (typeof sorts)[number];

/** The list's filters, from the URL; absent ones are not sent. */
export interface SubscribersSearch {
  readonly page?: number;
  readonly search?: string;
  readonly status?: 'subscribed' | 'unsubscribed';
  readonly device?: (typeof deviceTypes)[number];
  readonly browser?: string;
  readonly country?: string;
  /** `key=value` each; all must hold. */
  readonly tags?: readonly string[];
  /** Readers of this one. */
  readonly segment?: number;
  readonly from?: string;
  readonly to?: string;
  readonly sort?: Sort;
  readonly direction?: 'asc';
}

const MAX_TAGS = 10;
const MAX_TEXT = 255;

/** People edit URLs: invalid values are ignored. */
export function readSearch(given: Record<string, unknown>): SubscribersSearch {
  const tags = Array.isArray(given.tags) ? given.tags.map(String).filter(isTag).slice(0, MAX_TAGS) : [];
  return {
    ...pageSearch(given),
    ...textAs('search', given.search),
    ...oneOf('status', ['subscribed', 'unsubscribed'] as const, given.status),
    ...oneOf('device', deviceTypes, given.device),
    ...textAs('browser', given.browser),
    ...(/^[A-Z]{2}$/.test(String(given.country)) ? { country: String(given.country) } : {}),
    ...(tags.length === 0 ? {} : { tags }),
    ...(isId(given.segment) ? { segment: Number(given.segment) } : {}),
    ...dayAs('from', given.from),
    ...dayAs('to', given.to),
    ...oneOf('sort', sorts.slice(1), given.sort),
    ...oneOf('direction', ['asc'] as const, given.direction),
  };
}

/** `plan=premium`: a key, and a value that may be empty. */
export const isTag = (text: string): boolean => text.indexOf('=') > 0 && text.length <= 2 * MAX_TEXT;

/** Numbers, too: a text that looks like one is parsed as one. */
function textAs<Name extends string>(name: Name, value: unknown): { [Key in Name]?: string } {
  const text = typeof value === 'string' || typeof value === 'number' ? String(value).slice(0, MAX_TEXT) : '';
  return (text === '' ? {} : { [name]: text }) as { [Key in Name]?: string };
}

const dayAs = <Name extends string>(name: Name, value: unknown): { [Key in Name]?: string } =>
  (/^\d{4}-\d{2}-\d{2}$/.test(String(value)) ? { [name]: String(value) } : {}) as { [Key in Name]?: string };

function oneOf<Name extends string, Word extends string>(
  name: Name,
  words: readonly Word[],
  value: unknown,
): { [Key in Name]?: Word } {
  const word = words.find((each) => each === value);
  return (word === undefined ? {} : { [name]: word }) as { [Key in Name]?: Word };
}

const beside = new Set(['page', 'sort', 'direction']);

/** How many filters narrow the list. */
export const filtersIn = (search: SubscribersSearch): number =>
  Object.keys(search).filter((name) => !beside.has(name)).length;

export interface FiltersProps {
  readonly search: SubscribersSearch;
  /** A field set to undefined is removed; the list begins at its first page again. */
  readonly onChange: (
    change: { [Name in keyof SubscribersSearch]?: SubscribersSearch[Name] | undefined },
  ) => void;
  readonly onClear: () => void;
}

/** The empty choice means any. */
export const chosen = <Word extends string>(value: string): Word | undefined =>
  value === '' ? undefined : (value as Word);
