/**
 * Reading feeds, and nothing of campaigns or how they are stored. Invariants of this folder:
 *
 * - A feed comes from a stranger: bytes, time, depth, items and texts are bounded before they are used.
 * - An item is sent once, whatever the feed's server does to its order, its dates or its identifiers.
 * - A first check sends nothing, and a feed that comes back after a failure sends nothing old.
 */
export interface FeedItem {
  /** The feed's own identifier: RSS `guid`, Atom and JSON Feed `id`, `rdf:about`. */
  readonly guid: string | null;
  /** `http` or https, absolute. */
  readonly link: string | null;
  readonly title: string | null;
  /** Plain text: without tags, entities decoded, white space collapsed. */
  readonly summary: string | null;
  /** `http` or https, absolute. */
  readonly image: string | null;
  /** A square picture of whoever speaks: its author's face, an episode's cover, otherwise the feed's own mark. Likewise. */
  readonly icon: string | null;
  readonly categories: readonly string[];
  readonly publishedAt: Date | null;
  readonly author: string | null;
}

export interface Feed {
  readonly title: string | null;
  /** Its site. */
  readonly link: string | null;
  /** In the feed's order. */
  readonly items: readonly FeedItem[];
}

export const MAX_ITEMS = 500;
const MAX_TITLE_LENGTH = 500;
const MAX_SUMMARY_LENGTH = 2_000;
const MAX_URL_LENGTH = 2_048;
const MAX_CATEGORIES = 50;
const MAX_NAME_LENGTH = 200;

/** What a format's reader found of an item. Texts are plain; URLs may be relative. */
export interface RawItem {
  readonly guid: string | null;
  /** In the order of preference; the first that is an address of the web counts. */
  readonly links: readonly (string | null)[];
  readonly title: string | null;
  readonly summary: string | null;
  readonly images: readonly (string | null)[];
  readonly icons: readonly (string | null)[];
  readonly categories: readonly (string | null)[];
  readonly dates: readonly (string | null)[];
  readonly author: string | null;
}

/** @param base what relative URLs are relative to. */
export function itemOf(raw: RawItem, base: string): FeedItem {
  return {
    // Cut, two long identifiers could become one: an item without any is known by its link.
    guid: (raw.guid?.length ?? 0) > MAX_URL_LENGTH ? null : textOf(raw.guid, MAX_URL_LENGTH),
    link: firstUrl(raw.links, base),
    title: textOf(raw.title, MAX_TITLE_LENGTH),
    summary: textOf(raw.summary, MAX_SUMMARY_LENGTH),
    image: firstUrl(raw.images, base),
    icon: firstUrl(raw.icons, base),
    categories: [...new Set(raw.categories.flatMap((each) => textOf(each, MAX_NAME_LENGTH) ?? []))].slice(
      0,
      MAX_CATEGORIES,
    ),
    publishedAt: firstDate(raw.dates),
    author: textOf(raw.author, MAX_NAME_LENGTH),
  };
}

export function feedOf(
  title: string | null,
  link: string | null,
  items: readonly FeedItem[],
  base: string,
): Feed {
  return { title: textOf(title, MAX_TITLE_LENGTH), link: firstUrl([link], base), items };
}

/** Null where nothing is left. Control characters and half a pair of surrogates do not stay: nothing could show them. */
function textOf(text: string | null, maxLength: number): string | null {
  if (text === null) return null;
  const plain = text
    .slice(0, maxLength * 20)
    .replace(/[\s\p{Cc}]+/gu, ' ')
    .trim()
    .slice(0, maxLength)
    .toWellFormed();
  return plain === '' ? null : plain;
}

function firstUrl(candidates: readonly (string | null)[], base: string): string | null {
  for (const candidate of candidates) {
    const text = candidate?.trim() ?? '';
    if (text === '' || text.length > MAX_URL_LENGTH) continue;
    const url = URL.parse(text, base);
    const fits = url !== null && /^https?:$/.test(url.protocol) && url.href.length <= MAX_URL_LENGTH;
    if (fits && url.username === '' && url.password === '') return url.href;
  }
  return null;
}

function firstDate(candidates: readonly (string | null)[]): Date | null {
  for (const candidate of candidates) {
    const text = candidate?.trim() ?? '';
    if (text === '' || text.length > 100) continue;
    // Without a zone, a date would be read in that of this machine.
    const zoned = /(?:[a-z]|[+-]\d{2}:?\d{2})$/i.test(text) || /^\d{4}(?:-\d{2}){0,2}$/.test(text);
    const date = new Date(zoned ? text : `${text}${/^\d{4}-\d{2}-\d{2}T/.test(text) ? 'Z' : ' UTC'}`);
    if (!Number.isNaN(date.getTime())) return date;
  }
  return null;
}
