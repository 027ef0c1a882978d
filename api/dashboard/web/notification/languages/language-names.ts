import { once } from '../../format/once.ts';
import { locale } from '../../texts/language.ts';

/** What newsrooms write in; one that a delivery has beside these is shown as well. */
const codes =
  'ar bg bn ca cs da de el en es et eu fa fi fil fr ga gl he hi hr hu hy id is it ja ka kk ko lt lv mk mr ms mt nb ne nl ' +
  'pa pl pt pt-BR ro ru sk sl sq sr sv sw ta te th tr uk ur uz vi zh-Hans zh-Hant';

const names = once(() => new Intl.DisplayNames(locale, { type: 'language' }));

/** `Brazilian Portuguese`. */
export const languageName = (code: string): string => names().of(code) ?? code;

const byName = once(() => new Intl.Collator(locale));

/** For a list to choose from. @param also codes that must be in it. */
export const languageChoices = (also: readonly string[] = []): { value: string; label: string }[] =>
  [...new Set([...codes.split(' '), ...also.filter((code) => code !== '')])]
    .map((value) => ({ value, label: languageName(value) }))
    .sort((a, b) => byName().compare(a.label, b.label));
