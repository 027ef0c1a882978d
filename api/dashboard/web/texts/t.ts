import { type Language, language } from './language.ts';
import type { Texts } from './texts.ts';

type Part = () => Promise<Partial<Texts>>;

/** Loaded where they are read, and of pages only once somebody is on the way to one. */
const catalogues: Readonly<Record<Language, readonly [atOnce: Part, later: Part, seldom: Part]>> = {
  en: [
    async () => (await import('./en/at-once.ts')).atOnce,
    async () => (await import('./en/later.ts')).later,
    async () => (await import('./en/seldom.ts')).seldom,
  ],
  de: [
    async () => (await import('./de/at-once.ts')).atOnce,
    async () => (await import('./de/later.ts')).later,
    async () => (await import('./de/seldom.ts')).seldom,
  ],
  fr: [
    async () => (await import('./fr/at-once.ts')).atOnce,
    async () => (await import('./fr/later.ts')).later,
    async () => (await import('./fr/seldom.ts')).seldom,
  ],
  es: [
    async () => (await import('./es/at-once.ts')).atOnce,
    async () => (await import('./es/later.ts')).later,
    async () => (await import('./es/seldom.ts')).seldom,
  ],
};

/** Every text of the pages, in the reader's language: those of a page are there before its module is loaded. */
export const t = {} as Texts;

/**
 * Before any module that reads texts is loaded. Awaited here at the top instead, it would cut the build into a file for
 * nearly every module: none could be joined with one that has to wait.
 */
export const loadFirstTexts = async (): Promise<void> => add(await catalogues[language][0]());

let pagesTexts: Promise<void> | null = null;

/** Of all pages behind the log-in. Where that fails, the next page tries again. */
export function loadPagesTexts(): Promise<void> {
  pagesTexts ??= catalogues[language][1]().then(add);
  pagesTexts.catch(() => {
    pagesTexts = null;
  });
  return pagesTexts;
}

/** Of pages that few people go to, with their module. */
export const loadSeldomTexts = async (): Promise<void> => add(await catalogues[language][2]());

const add = (part: Partial<Texts>): void => void Object.assign(t, part);
