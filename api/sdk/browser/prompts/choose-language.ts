/** @param wanted that of the page first, since its readers read it; then the browser's. */
export const languageOf = (wanted: readonly string[], known: readonly string[]): string =>
  wanted.map((each) => each.split('-', 1)[0]?.toLowerCase() ?? '').find((each) => known.includes(each)) ??
  'en';
