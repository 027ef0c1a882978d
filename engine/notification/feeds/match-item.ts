import { foldedText } from '../../contract/folded-text.ts';
import type { FeedItem } from './feed.ts';

export interface FeedFilter {
  /** One of them, in any case; null: any. */
  readonly categories: readonly string[] | null;
  /** One of them, as whole words of title or summary, in any case; null: any. */
  readonly words: readonly string[] | null;
  /** None of them, neither as a category nor as words. */
  readonly without: readonly string[] | null;
}

/** Made once for all items of a check. */
export function createMatches({ categories, words, without }: FeedFilter): (item: FeedItem) => boolean {
  const inCategories = categories === null ? null : createHasCategory(categories);
  const inWords = words === null ? null : createHasWords(words);
  const [outCategories, outWords] = [createHasCategory(without ?? []), createHasWords(without ?? [])];
  return (item) => {
    if (inCategories !== null && !inCategories(item)) return false;
    if (inWords !== null && !inWords(item)) return false;
    return without === null || !(outCategories(item) || outWords(item));
  };
}

const folded = (text: string): string => foldedText(text).trim();

function createHasCategory(wanted: readonly string[]): (item: FeedItem) => boolean {
  const names = new Set(wanted.map(folded));
  return ({ categories }) => categories.some((each) => names.has(folded(each)));
}

function createHasWords(wanted: readonly string[]): (item: FeedItem) => boolean {
  const phrases = wanted.map(wordsOf).filter((words) => words !== '');
  return ({ title, summary }) => {
    const text = ` ${wordsOf(`${title ?? ''} ${summary ?? ''}`)} `;
    return phrases.some((phrase) => text.includes(` ${phrase} `));
  };
}

const wordsOf = (text: string): string =>
  folded(text)
    .split(/[^\p{L}\p{N}\p{M}]+/u)
    .filter((word) => word !== '')
    .join(' ');
