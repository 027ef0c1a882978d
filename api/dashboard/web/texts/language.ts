/** In their own words, in the order in which they are offered. */
export const languages = { en: 'English', de: 'Deutsch', fr: 'Français', es: 'Español' } as const;
export type Language = keyof typeof languages;

const KEPT = 'broadside-language';

const isLanguage = (name: string | null | undefined): name is Language =>
  name !== null && name !== undefined && Object.hasOwn(languages, name);

/** What a page has, and a test outside a browser has not. */
const page = globalThis as unknown as {
  readonly document?: { readonly documentElement: { lang: string } };
  readonly navigator: { readonly languages: readonly string[] };
  readonly localStorage: {
    getItem(key: string): string | null;
    setItem(key: string, value: string): void;
  };
  readonly location: { reload(): void };
};

/** Outside a browser everything is English. */
const wanted: readonly string[] = page.document === undefined ? ['en-GB'] : page.navigator.languages;
const baseOf = (locale: string): string => locale.split('-', 1)[0] ?? '';

/** Chosen here once, otherwise the first of the browser's languages that there is. */
export const language: Language = chosen() ?? wanted.map(baseOf).find(isLanguage) ?? 'en';

/** For numbers, dates and plurals: as the reader's own region writes that language. */
export const locale: string = wanted.find((each) => baseOf(each) === language) ?? language;

function chosen(): Language | null {
  if (page.document === undefined) return null;
  try {
    const kept = page.localStorage.getItem(KEPT);
    return isLanguage(kept) ? kept : null;
  } catch {
    // The browser keeps nothing for this site: its own language it is.
    return null;
  }
}

/** The texts are read while modules load, so the page starts again. */
export function chooseLanguage(next: Language): void {
  page.localStorage.setItem(KEPT, next);
  page.location.reload();
}

if (page.document !== undefined) page.document.documentElement.lang = language;
