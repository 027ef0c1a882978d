import type { Provider } from './provider.ts';

/**
 * How the log-in page names the provider of an organization. Its admins choose the name, and whoever is shown it may
 * type a password on the page behind it: so it never looks like the name of the installation's provider.
 */
type Named = Pick<Provider, 'name'>;

/** A sentence on what is wrong with a name that an admin chose; null: nothing. */
export function explainName(name: string, installation: Named | null): string | null {
  if (/[\p{C}\p{Zl}\p{Zp}]/u.test(name)) return 'The name field contains invisible characters: remove them.';
  if (!isOneAlphabet(name.normalize('NFKC')))
    return 'The name field mixes alphabets whose letters look alike: use one alphabet.';
  if (installation === null || !looksLike(name, installation.name)) return null;
  return 'The name field looks like the name of the installation’s provider: choose a name by which your people know you.';
}

/** Written before the installation had its provider, a name may look like that one: then the organization's is shown. */
export const shownName = (
  own: Named & { readonly organization: string },
  installation: Named | null,
): string => (explainName(own.name, installation) === null ? own.name : own.organization);

/** From this number of letters on, a name must not even be a part of a longer one. */
const TELLING_LETTERS = 4;

/** Whether people may take one for the other: the same, or with more words around it. */
export function looksLike(name: string, reserved: string): boolean {
  const [own, theirs] = [wordsOf(name), wordsOf(reserved)];
  const [ownText, text] = [drawnTogether(own), drawnTogether(theirs)];
  // Of signs alone: there is nothing to compare but the signs.
  if (text === '') return name.normalize('NFKC').trim() === reserved.normalize('NFKC').trim();
  if (text.length >= TELLING_LETTERS) return ownText.includes(text);
  return ownText === text || ` ${own.join(' ')} `.includes(` ${theirs.join(' ')} `);
}

/** Without the spaces, which a name has or has not; pairs of letters that look like one are that one. */
const drawnTogether = (words: readonly string[]): string =>
  words.join('').replaceAll('rn', 'm').replaceAll('vv', 'w').replaceAll('cl', 'd');

/** The words as they look, whatever letters draw them. */
const wordsOf = (name: string): string[] =>
  name
    .normalize('NFKC')
    .toLowerCase()
    .normalize('NFKD')
    .replace(/[\p{M}\p{C}]/gu, '')
    .split(/[^\p{L}\p{N}|!$@]/u)
    .map((word) => [...word].map((letter) => drawn.get(letter) ?? letter).join(''))
    .filter((word) => word !== '');

/**
 * Letters that look like one of ours, in lower case (Unicode Technical Standard 39, confusables), of the alphabets that
 * a name may be written in.
 */
const lookalikes: Readonly<Record<string, string>> = {
  a: 'аα@4աə',
  b: 'вьβъ8',
  c: 'сϲς',
  d: 'ԁđð',
  e: 'еєεэ3ҽ',
  f: 'ƒϝք',
  g: 'ԍ9ցզǥ',
  h: 'һнηћħհի',
  k: 'кκқ',
  l: 'iіιıӏ1|!łłլւ',
  m: 'мϻ',
  n: 'пոռŋ',
  o: 'оοσøθ0օөѳфφ',
  p: 'рρþ',
  q: 'ԛգ',
  r: 'гґ',
  s: 'ѕ5$',
  t: 'тτŧ7',
  u: 'υцսμиʋ',
  v: 'νѵ',
  w: 'шωԝщ',
  x: 'хχ×ж',
  y: 'уγүұ',
  z: '2ƶ',
};
const drawn = new Map(
  Object.entries(lookalikes).flatMap(([ours, others]) => [...others].map((other) => [other, ours] as const)),
);

/** Their letters look like one another's: a name is written in one of them. */
const alike = [/\p{Script=Latin}/u, /\p{Script=Cyrillic}/u, /\p{Script=Greek}/u, /\p{Script=Armenian}/u];
/** Everything in use that is not written for the way it looks: phonetic signs and small capitals are. */
const readable =
  /^(?:(?![\u0250-\u02AF\u1D00-\u1DBF\uA720-\uA7FF\uAB30-\uAB6F])[\p{Script=Latin}\p{Script=Cyrillic}\p{Script=Greek}\p{Script=Armenian}\p{Script=Georgian}\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Devanagari}\p{Script=Bengali}\p{Script=Tamil}\p{Script=Telugu}\p{Script=Thai}\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Common}\p{Script=Inherited}])*$/u;

const isOneAlphabet = (name: string): boolean =>
  readable.test(name) && alike.filter((alphabet) => alphabet.test(name)).length <= 1;
