const graphemes = new Intl.Segmenter('und', { granularity: 'grapheme' });
const isWide =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Extended_Pictographic}]/u;

/**
 * A text in the room of that number of Latin letters, with `…` in place of what is cut off. Never through the middle of a
 * character; an emoji and a letter of East Asia take the room of two.
 */
export function cut(text: string, letters: number): string {
  let room = letters;
  let kept = '';
  let end = '';
  for (const { segment } of graphemes.segment(text)) {
    room -= isWide.test(segment) ? 2 : 1;
    if (room < 0) return `${end.trimEnd()}…`;
    // One letter's room is the dots'.
    kept += segment;
    if (room >= 1) end = kept;
  }
  return text;
}
