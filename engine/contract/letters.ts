/** What people get by e-mail about their accounts. A further kind needs its words in `engine/outgoing/emails`. */
export const letterKinds = [
  'invitation',
  'password-reset',
  'new-device',
  'webhook-disabled',
  'alert-address',
] as const;
export type LetterKind = (typeof letterKinds)[number];

/** What the sealed link of a letter is bound to. */
export const letterContext = (address: string): string => `letter to ${address}`;
