import { domainToUnicode } from 'node:url';

/** Names that deceptive addresses imitate most: a choice of ours. */
const imitated = new Set(
  'google chrome android youtube microsoft windows outlook apple icloud paypal amazon netflix facebook instagram whatsapp telegram fedex binance coinbase'.split(
    ' ',
  ),
);

/** What a reader takes one for another. */
const alike: readonly (readonly [RegExp, string])[] = [
  [/rn/g, 'm'],
  [/vv/g, 'w'],
  [/0/g, 'o'],
  [/[1|]/g, 'l'],
  [/3/g, 'e'],
  [/5/g, 's'],
  [/4/g, 'a'],
];

/**
 * Whether a host is made to be taken for another: one of its labels mixes Latin letters with Cyrillic or Greek ones,
 * or reads as a known name once its digits are letters, or the known name stands in front of another domain
 * (`paypal.com.example.net`).
 */
export function isLookAlike(host: string): boolean {
  const labels = (domainToUnicode(host) || host).toLowerCase().split('.');
  const isMixed = labels.some(
    (label) => /\p{Script=Latin}/u.test(label) && /[\p{Script=Cyrillic}\p{Script=Greek}]/u.test(label),
  );
  const words = labels.flatMap((label) => label.split('-'));
  const isSpelt = words.some((word) => !imitated.has(word) && imitated.has(readAs(word)));
  const isInFront = labels.some(
    (label, at) => imitated.has(label) && labels[at + 1] === 'com' && labels.length > at + 2,
  );
  // `google.com.br` is Google's own: there a country follows, and ends the name.
  return isMixed || isSpelt || (isInFront && !isCountrys(labels));
}

const isCountrys = (labels: readonly string[]): boolean =>
  labels.at(-2) === 'com' && (labels.at(-1) ?? '').length === 2;

const readAs = (word: string): string =>
  alike.reduce((left, [letters, read]) => left.replaceAll(letters, read), word);
