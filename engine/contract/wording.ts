import { type Static, Type } from 'typebox';
import { Compile } from 'typebox/compile';

/**
 * `deliveries.wording`: what a delivery says where not every reader gets the same words. Null for most of them: then
 * `deliveries.plaintext` goes to everyone.
 */
export const MOST_TRANSLATIONS = 20;
/** Each is read with every target. */
export const MOST_PERSONAL_TAGS = 5;
export const MOST_OUTPUTS = 50;
/** Of a tag's value, and of what an output makes of it, in UTF-16 code units. */
export const MOST_OUTPUT_UNITS = 255;

/** `deliveries.translations`: what readers of one language get instead of the main text. */
export interface Translation {
  /** BCP 47, canonical. */
  readonly language: string;
  readonly title: string;
  readonly body: string;
  /** Null: that of the main text. */
  readonly url: string | null;
  /** Null: those of the main text. */
  readonly buttons: readonly { readonly title: string; readonly url: string }[] | null;
  /** Where we serve its own icon. Null or absent: that of the main text. */
  readonly iconUrl?: string | null;
}

/** An output in the middle of a plaintext: its index in `outputs`, and how its value is written there. */
const slot = Type.Tuple([
  Type.Integer({ minimum: 0 }),
  Type.Union([Type.Literal('text'), Type.Literal('address')]),
]);
export type Slot = Static<typeof slot>;

const wordedText = Type.Object({
  /** BCP 47; null: the main text's, where it is not stated. */
  language: Type.Union([Type.String(), Type.Null()]),
  /** The plaintext in pieces. One piece: it is the same for everyone who reads this language. */
  parts: Type.Array(Type.Union([Type.String(), slot]), { minItems: 1 }),
});
export type WordedText = Static<typeof wordedText>;

const wording = Type.Object({
  /** The main text first: it is for those who read none of the other languages. */
  texts: Type.Array(wordedText, { minItems: 1, maxItems: 1 + MOST_TRANSLATIONS }),
  /** One output each, as `notification/personal/grammar.ts` has it: `{{ tag.name | default: "reader" }}`. */
  outputs: Type.Array(Type.String(), { maxItems: MOST_OUTPUTS }),
  /** Keys of the tags that they read. */
  tags: Type.Array(Type.String(), { maxItems: MOST_PERSONAL_TAGS }),
});
export type Wording = Static<typeof wording>;

const checkWording = Compile(wording);

/** @throws RangeError on what is none: such a row is a bug, and must not be sent as something else. */
export function parseWording(value: unknown): Wording | null {
  if (value === null) return null;
  if (!checkWording.Check(value)) throw new RangeError('this is not a wording of a delivery');
  return value;
}
