import type { en } from './en.ts';

/** What a catalogue says, without the words: a text, or a function that puts its parameters into one. */
type Words<Part> = Part extends string
  ? string
  : Part extends (...parameters: infer Parameters) => string
    ? (...parameters: Parameters) => string
    : { readonly [Key in keyof Part]: Words<Part[Key]> };

/** Every text of the pages. A language is an object of this type, so none can be missing. */
export type Texts = Words<typeof en>;

/** What one file of a language holds: everything that English has under these names. */
export type TextsOf<Names extends keyof Texts> = Pick<Texts, Names>;
