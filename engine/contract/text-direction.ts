/**
 * Scripts that are written from right to left, by ISO 15924: those with `rtl? YES` in Unicode's CLDR
 * (`common/properties/scriptMetadata.txt`), whose letters have the bidirectional class R or AL.
 */
const rightToLeft: ReadonlySet<string> = new Set(
  (
    'Adlm Arab Aran Armi Avst Chrs Cprt Elym Gara Hatr Hebr Hung Khar Lydi Mand Mani Mend Merc Mero Narb Nbat Nkoo ' +
    'Orkh Ougr Palm Phli Phlp Phnx Prti Rohg Samr Sarb Sidt Sogd Sogo Syrc Thaa Yezi'
  ).split(' '),
);

/**
 * Which script a language is written in, where its tag does not say, is CLDR's (`likelySubtags.xml`): `fa` is Arab, `az` is
 * Latn, and `az-Arab` and `az-IR` are Arab.
 * @param language BCP 47, in canonical form.
 */
export function isRightToLeft(language: string): boolean {
  return rightToLeft.has(new Intl.Locale(language).maximize().script ?? '');
}
