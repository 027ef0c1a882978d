import { createTextFor } from '../contract/reader-language.ts';
import type { Wording } from '../contract/wording.ts';
import { createRenderText, type TagValues } from '../notification/personal/render.ts';
import { MAX_PLAINTEXT_BYTES } from './encrypt.ts';
import type { TargetCursor } from './targets.ts';

/** What the text of a message depends on. */
export interface Reader {
  /** BCP 47; empty where it is not known. */
  readonly language: string;
  /** A JSON array of the values of `wording.tags`. A view into the task's targets. */
  readonly tagValues: Buffer;
}

export const readerAt = (cursor: TargetCursor): Reader => ({
  language: cursor.language(),
  tagValues: cursor.tagValues(),
});

/** Why one reader has no text. It concerns nobody else in the block. */
export type TextRefusal = 'bad-tags' | 'bad-text' | 'too-long';

/** A reader's text, or why there is none. Never throws. */
export type TextOf = (reader: Reader) => Uint8Array | TextRefusal;

/**
 * What each reader gets: the text in their language, made once, unless it names their tags.
 * @returns the same object where it is the same text.
 */
export function createTextOf(wording: Wording): TextOf {
  const render = createRenderText(wording);
  const textFor = createTextFor(wording.texts.map(({ language }) => language));
  /** By the reader's language; bounded by the block. */
  const indexes = new Map<string, number>();

  function indexOf(language: string): number {
    const known = indexes.get(language);
    if (known !== undefined) return known;
    const index = textFor(language) ?? 0;
    indexes.set(language, index);
    return index;
  }

  return ({ language, tagValues }) => {
    const values = wording.tags.length === 0 ? [] : readValues(tagValues);
    if (values === null) return 'bad-tags';
    const text = render(indexOf(language), values);
    if (text === null) return 'bad-text';
    return text.length > MAX_PLAINTEXT_BYTES ? 'too-long' : text;
  };
}

/** Null: they are not an array. */
function readValues(json: Buffer): TagValues | null {
  try {
    const values: unknown = JSON.parse(json.toString());
    return Array.isArray(values) ? values : null;
  } catch {
    return null;
  }
}
