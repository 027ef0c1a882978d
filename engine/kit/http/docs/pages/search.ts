import { type Html, html } from './html.ts';

/** A place that the search may lead to. */
export interface SearchEntry {
  /** Below `/docs/`, with its fragment. */
  readonly path: string;
  readonly title: string;
  /** What stands around it: a guide's name, an operation's route. */
  readonly place: string;
  readonly text: string;
  /** A field's name is less than a title with the same words. */
  readonly isField?: boolean;
}

export type FindEntries = (query: string) => SearchEntry[];

const MOST_RESULTS = 30;
const LONGEST_QUERY = 100;
/** Words of a result's text around the first hit. */
const SHOWN = 160;
const OF_A_FIELD = 0.6;

interface Indexed {
  readonly entry: SearchEntry;
  readonly title: readonly string[];
  readonly place: readonly string[];
  readonly text: readonly string[];
}

/** The words are taken apart once: each search compares all of them. */
export function indexEntries(entries: readonly SearchEntry[]): FindEntries {
  const indexed = entries.map((entry) => ({
    entry,
    title: wordsAndParts(entry.title),
    place: wordsAndParts(entry.place),
    text: [...new Set(wordsAndParts(entry.text))],
  }));
  return (query) => findEntries(indexed, query);
}

/** Every word of the query must begin a word of an entry; hits in titles come first. */
function findEntries(indexed: readonly Indexed[], query: string): SearchEntry[] {
  const words = wordsOf(query.slice(0, LONGEST_QUERY));
  if (words.length === 0) return [];
  return indexed
    .map((each) => ({ entry: each.entry, rank: rankOf(each, words) }))
    .filter(({ rank }) => rank > 0)
    .toSorted((one, other) => other.rank - one.rank)
    .slice(0, MOST_RESULTS)
    .map(({ entry }) => entry);
}

function rankOf({ entry, title, place, text }: Indexed, words: readonly string[]): number {
  let rank = 0;
  for (const word of words) {
    const begins = (each: string): boolean => each.startsWith(word);
    if (title.includes(word)) rank += 12;
    else if (title.some(begins)) rank += 8;
    else if (place.some(begins)) rank += 3;
    else if (text.some(begins)) rank += 1;
    else return 0;
  }
  // Of two titles with the same hits, the one that says less else.
  return (rank + 1 / (1 + title.length)) * (entry.isField === true ? OF_A_FIELD : 1);
}

/** `rate_per_minute*` is a word: what a query asks for begins one, with or without a star. */
const wordsOf = (text: string): string[] => text.toLowerCase().match(/[\p{L}\p{N}_]+/gu) ?? [];

/** `minute` finds it, too. */
const wordsAndParts = (text: string): string[] =>
  wordsOf(text).flatMap((word) => (word.includes('_') ? [word, ...word.split('_')] : [word]));

/** The page of a search. */
export function drawResults(query: string, found: readonly SearchEntry[]): Html {
  const heading = query === '' ? 'Search' : `Search: ${query}`;
  if (found.length === 0)
    return html`<h1>${heading}</h1><p>${
      query === '' ? 'Type a word above.' : 'Nothing was found. Try fewer words, or another one.'
    }</p>`;
  return html`<h1>${heading}</h1>
<ol class="results">${found.map(
    ({ path, title, place, text }) =>
      html`<li><a href="./${path}">${title}</a><p class="place">${place}</p><p>${excerptOf(text, query)}</p></li>`,
  )}</ol>`;
}

function excerptOf(text: string, query: string): string {
  const [word = ''] = wordsOf(query);
  const at = Math.max(0, text.toLowerCase().indexOf(word) - SHOWN / 4);
  const piece = text.slice(at, at + SHOWN).trim();
  return `${at > 0 ? '…' : ''}${piece}${at + SHOWN < text.length ? '…' : ''}`;
}
