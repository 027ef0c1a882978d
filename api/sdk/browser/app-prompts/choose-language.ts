/** @param wanted that of the page first, since its readers read it; then the browser's. */
export const languageOf = (wanted: readonly string[], known: readonly string[]): string =>
  wanted.map(codeOf).find((each) => known.includes(each)) ?? 'en';

/** Browsers write codes again that are deprecated: a page in `iw` is in Hebrew. */
function codeOf(tag: string): string {
  try {
    return new Intl.Locale(tag).language;
  } catch {
    return '';
  }
}
