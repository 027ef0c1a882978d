/**
 * What Chrome and Firefox on Android show of a title, in Latin letters:
 * https://www.braze.com/docs/user_guide/channels/push/create_a_push_message/message_and_image_formats
 */
export const ANDROID_TITLE_LETTERS = 35;

const graphemes = new Intl.Segmenter('und', { granularity: 'grapheme' });
const isWide = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{RGI_Emoji}]/v;

/** How much room a text takes, in Latin letters: an emoji and a letter of East Asia take that of two. */
export const widthOf = (text: string): number =>
  [...graphemes.segment(text)].reduce((sum, { segment }) => sum + (isWide.test(segment) ? 2 : 1), 0);

export const isLongTitle = (title: string): boolean => widthOf(title.trim()) > ANDROID_TITLE_LETTERS;

/** There is an emoji, and beside emoji no letter or number. */
export function isEmojiOnly(title: string): boolean {
  const rest = title.replaceAll(/\p{RGI_Emoji}|\p{Emoji_Presentation}/gv, '');
  return rest !== title && !/[\p{L}\p{N}]/u.test(rest);
}

const MOST_CAPITALS = 11;

/**
 * Twelve capitals or more, no small letter, and a word of five capitals or more: so `NATO`, `ARD, ZDF` and
 * `UNESCO` are none. Scripts without capitals never are.
 */
export function isAllCapitals(title: string): boolean {
  const capitals = title.match(/\p{Lu}/gu) ?? [];
  return capitals.length > MOST_CAPITALS && !/\p{Ll}/u.test(title) && /\p{Lu}{5}/u.test(title);
}
