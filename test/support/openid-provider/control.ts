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
  /** Whether it leaves out who it is when it sends somebody back. */
  readonly silent?: boolean;
  /** An evil one: people who come to log in are sent there, with the state that they brought, and codes are taken. */
  readonly leadsTo?: string | null;
  /** New keys, and none of before. */
  readonly rotate?: boolean;
}
