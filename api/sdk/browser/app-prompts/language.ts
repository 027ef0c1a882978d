import { nativeFetch } from '../native-fetch.ts';
import { languageOf } from './choose-language.ts';
import type { Texts } from './texts.ts';

/** Put in when it is bundled: the file of each language, seen from `/sdk/v1/`. */
declare const TEXTS_PATHS: Readonly<Record<string, string>>;

const paths = TEXTS_PATHS;

const rightToLeft: readonly string[] = ['ar', 'he'];

export interface Spoken {
  readonly texts: Texts;
  readonly language: string;
  readonly direction: 'ltr' | 'rtl';
}

/** @throws Error where they cannot be had. */
export async function readTexts(baseUrl: string): Promise<Spoken> {
  const language = languageOf([document.documentElement.lang, ...navigator.languages], Object.keys(paths));
  const answer = await nativeFetch(`${baseUrl}/sdk/v1/${paths[language]}`, {
    __proto__: null,
    credentials: 'omit',
  } as RequestInit);
  if (!answer.ok) throw new Error(`Broadside: no texts in ${language}`);
  const texts: Texts = await answer.json();
  return { texts, language, direction: rightToLeft.includes(language) ? 'rtl' : 'ltr' };
}
