/** What deceptive notifications say, by the kinds that this project has chosen. */
export const signs = [
  'account-threat',
  'prize',
  'fake-system-message',
  'impersonation',
  'money-doubling',
] as const;
export type Sign = (typeof signs)[number];

/**
 * The signs in one language. Patterns meet folded texts: small letters without accents, a space between words.
 * Each sign needs a word that speaks to the reader: the news speaks of others.
 */
export interface SignsOfLanguage {
  /** In one segment of a text: between full stops, colons, dashes. */
  readonly segment: Readonly<Record<Sign, readonly RegExp[]>>;
  /** In a text as a whole. */
  readonly whole: Readonly<Partial<Record<Sign, readonly RegExp[]>>>;
  /** Before a sign in its segment, they make it advice, a guess or a report: `How to see whether …`. */
  readonly reported: RegExp;
}

/** Makers and names of browsers and devices. */
export const makers = 'google|chrome|android|windows|microsoft|apple|ios|iphone|firefox|edge|safari|samsung';
