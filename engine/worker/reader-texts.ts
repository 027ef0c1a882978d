import { textFor } from '../contract/reader-language.ts';
import type { Wording } from '../contract/wording.ts';
import type { TagValues } from '../personal/render.ts';
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

/**
 * What each reader gets: the text in their language, made once, unless it names their tags. Liquid is loaded only where
 * a delivery has a wording.
 * @returns the same object where it is the same text.
 */
export async function createTextOf(
  wording: Wording,
): Promise<(envelope: { readonly reader?: Reader }) => Uint8Array> {
  const { createRenderText } = await import('../personal/render.ts');
  const render = createRenderText(wording);
  const offered = wording.texts.map(({ language }) => language);
  /** By the reader's language; bounded by the block. */
  const indexes = new Map<string, number>();

  function indexOf(language: string): number {
    const known = indexes.get(language);
    if (known !== undefined) return known;
    const index = textFor(language, offered);
    indexes.set(language, index);
    return index;
  }

  return ({ reader }) => {
    if (reader === undefined) throw new TypeError('a target without its reader');
    const values: TagValues = wording.tags.length === 0 ? [] : JSON.parse(reader.tagValues.toString());
    return render(indexOf(reader.language), values);
  };
}
