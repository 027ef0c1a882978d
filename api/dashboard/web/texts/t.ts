import { type Language, language } from './language.ts';
import type { Texts } from './texts.ts';

type Part = () => Promise<Partial<Texts>>;

interface Catalogue {
  readonly atOnce: Part;
  readonly home: Part;
  readonly later: Part;
  readonly seldom: Part;
}

/** Loaded where they are read, and of pages only once somebody is on the way to one. */
const catalogues: Readonly<Record<Language, Catalogue>> = {
  en: {
    atOnce: async () => (await import('./en/at-once.ts')).atOnce,
    home: async () => (await import('./en/home.ts')).home,
    later: async () => (await import('./en/later.ts')).later,
    seldom: async () => (await import('./en/seldom.ts')).seldom,
  },
  de: {
    atOnce: async () => (await import('./de/at-once.ts')).atOnce,
    home: async () => (await import('./de/home.ts')).home,
    later: async () => (await import('./de/later.ts')).later,
    seldom: async () => (await import('./de/seldom.ts')).seldom,
  },
  fr: {
    atOnce: async () => (await import('./fr/at-once.ts')).atOnce,
    home: async () => (await import('./fr/home.ts')).home,
    later: async () => (await import('./fr/later.ts')).later,
    seldom: async () => (await import('./fr/seldom.ts')).seldom,
  },
  es: {
    atOnce: async () => (await import('./es/at-once.ts')).atOnce,
    home: async () => (await import('./es/home.ts')).home,
    later: async () => (await import('./es/later.ts')).later,
    seldom: async () => (await import('./es/seldom.ts')).seldom,
  },
};

/** Every text of the pages, in the reader's language: those of a page are there before its module is loaded. */
export const t = {} as Texts;

/**
 * Before any module that reads texts is loaded. Awaited here at the top instead, it would cut the build into a file for
 * nearly every module: none could be joined with one that has to wait.
 */
export const loadFirstTexts = loadOnce('atOnce');

/** Of the frame and of the page where the day begins. */
export const loadHomeTexts = loadOnce('home');

const loadLaterTexts = loadOnce('later');
const loadRareTexts = loadOnce('seldom');

/** Of all pages behind the log-in but those that few people go to. */
export const loadPagesTexts = async (): Promise<void> => {
  await Promise.all([loadHomeTexts(), loadLaterTexts()]);
};

/** Of pages that few people go to, with those of the others, whose parts they show. */
export const loadSeldomTexts = async (): Promise<void> => {
  await Promise.all([loadPagesTexts(), loadRareTexts()]);
};

/** Where that fails, the next page tries again. */
function loadOnce(part: keyof Catalogue): () => Promise<void> {
  let loading: Promise<void> | null = null;
  return () => {
    loading ??= catalogues[language][part]().then(
      (texts) => void Object.assign(t, texts),
      (error: unknown) => {
        loading = null;
        throw error;
      },
    );
    return loading;
  };
}
