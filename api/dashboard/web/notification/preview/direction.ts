const rightToLeft = new Set(['Adlm', 'Arab', 'Hebr', 'Mand', 'Nkoo', 'Rohg', 'Syrc', 'Thaa']);

/** In which direction a language is written. @param code BCP 47; empty or no language: each text's own. */
export function directionOf(code: string): 'ltr' | 'rtl' | 'auto' {
  try {
    return rightToLeft.has(new Intl.Locale(code).maximize().script ?? '') ? 'rtl' : 'ltr';
  } catch {
    return 'auto';
  }
}
