/** The person that the provider logs in. */
export interface Account {
  readonly sub: string;
  readonly claims: Readonly<Record<string, unknown>>;
}

/** What is wrong with the ID tokens that it gives out. */
export type Tamper = 'nonce' | 'audience' | 'issuer' | 'expired' | 'signature' | null;

export interface Control {
  readonly account?: Account;
  readonly tamper?: Tamper;
  /** New keys, and none of before. */
  readonly rotate?: boolean;
}
