/** What people get by e-mail about their accounts. A further kind needs its words in `engine/outgoing/emails`. */
export const emailKinds = [
  'invitation',
  'password-reset',
  'new-device',
  'webhook-disabled',
  'alert-address',
] as const;
export type EmailKind = (typeof emailKinds)[number];

/** What the sealed link of an e-mail is bound to. Stored links are bound to these very words. */
export const emailContext = (address: string): string => `letter to ${address}`;
