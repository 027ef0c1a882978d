import { de } from './de.ts';
import { en } from './en.ts';
import { es } from './es.ts';
import { fr } from './fr.ts';
import { type Sign, type SignsOfLanguage, signs } from './language.ts';

const languages: readonly SignsOfLanguage[] = [en, de, fr, es];

/** Bounds the work, whoever calls: a title and a text have at most 255 characters. */
const MOST_CHARACTERS = 512;

/** A text that speaks of deception reports it. */
const reportsDeception =
  /\b(?:scam\w*|phishing|smishing|hoax\w*|fraudsters?|swindlers?|fake|bogus|\w*betrug\w*|betrug\w*|abzocke\w*|masche|falsche[rnms]?|arnaqu\w*|escroc\w*|hameconnage|faux|fausses?|estafa\w*|timos?|bulos?|fals[oa]s?|enganos?)\b/;

const pairs = [
  /“[^“”]*”/g,
  /„[^„“”]*[“”]/g,
  /"[^"]*"/g,
  /«[^«»]*»/g,
  /‹[^‹›]*›/g,
  /‘[^‘’]*’(?!\p{L})/gu,
] as const;

/** What stands in quotation marks is said by somebody else, unless it is all there is. */
function withoutQuotes(text: string): string {
  const rest = pairs.reduce((left, pair) => left.replaceAll(pair, ' '), text);
  return /\p{L}/u.test(rest) ? rest : text.replaceAll(/[“”„"«»‹›‘]/g, ' ');
}

/** Small letters without accents, none that cannot be seen, and one space between words. */
const folded = (text: string): string =>
  text
    .normalize('NFKD')
    .replaceAll(/[\p{M}\p{Cf}]/gu, '')
    .toLowerCase()
    .replaceAll('ß', 'ss')
    .replaceAll(/[’`´]/g, "'")
    .replaceAll(/[^\p{L}\p{N}'€$.,:;!?|\-–—\n+@]/gu, ' ')
    .replaceAll(/\s+/g, ' ')
    .trim()
    .replace(/^[^\p{L}\p{N}]+/u, '');

/** @returns the signs of a deceptive notification that a text bears, in the order of `signs`. */
export function findSigns(given: string): Sign[] {
  const text = folded(withoutQuotes(given.slice(0, MOST_CHARACTERS)));
  if (reportsDeception.test(folded(given.slice(0, MOST_CHARACTERS)))) return [];
  const segments = segmentsOf(text);
  return signs.filter((sign) =>
    languages.some(
      ({ whole, segment, reported }) =>
        (whole[sign] ?? []).some((pattern) => pattern.test(text)) ||
        segments.some((part) => segment[sign].some((pattern) => isSaid(part, pattern, reported))),
    ),
  );
}

/** A question is none: `Is your account locked?` */
const segmentsOf = (text: string): string[] =>
  [...text.matchAll(/([^!?:;|–—]+?)(?:\.(?= |$)|$|([!?:;|–—]))/g)]
    .filter(([, , end]) => end !== '?')
    .map(([, part = '']) => part.trim());

function isSaid(segment: string, pattern: RegExp, reported: RegExp): boolean {
  const found = pattern.exec(segment);
  return found !== null && !reported.test(segment.slice(0, found.index));
}
