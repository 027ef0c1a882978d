/**
 * What stands around a name without being part of it: white space as Unicode knows it, direction marks, and characters
 * without a width. Ranges, so that ClickHouse, which does not know these properties, reads the same list.
 */
const ranges: readonly (readonly [number, number])[] = [
  ...([
    [0x09, 0x0d],
    [0x20, 0x20],
    [0x85, 0x85],
    [0xa0, 0xa0],
    [0xad, 0xad],
    [0x61c, 0x61c],
  ] as const),
  ...([
    [0x1680, 0x1680],
    [0x180e, 0x180e],
    [0x2000, 0x200b],
    [0x200e, 0x200f],
    [0x2028, 0x202f],
  ] as const),
  ...([
    [0x205f, 0x2060],
    [0x2066, 0x2069],
    [0x3000, 0x3000],
    [0xfeff, 0xfeff],
  ] as const),
];

const classOf = (character: (code: string) => string): string =>
  `[${ranges.map((range) => range.map((code) => character(code.toString(16))).join('-')).join('')}]`;

const isAround = (code: number): boolean => ranges.some(([first, last]) => code >= first && code <= last);

/** From both ends, by code units: none of these characters is a pair. */
export function trimmed(text: string): string {
  let [from, to] = [0, text.length];
  while (from < to && isAround(text.charCodeAt(from))) from++;
  while (to > from && isAround(text.charCodeAt(to - 1))) to--;
  return text.slice(from, to);
}

/** The same as a pattern of RE2, which ClickHouse uses. */
const aroundInRe2 = classOf((code) => `\\x{${code}}`);
export const TRIMMING_RE2 = `^${aroundInRe2}+|${aroundInRe2}+$`;
