import type { Broadside } from './broadside.d.ts';

interface Policy {
  createScriptURL(url: string): unknown;
}

/** One a page, though it may have the SDK's script twice, or beside a module. */
interface Shared {
  /** What the first `init` gives. */
  first?: Promise<Broadside> | undefined;
  policy?: Policy | undefined;
}

interface Page {
  readonly trustedTypes?: { createPolicy(name: string, rules: Policy): Policy };
  [KEY]?: Shared;
}

const KEY: unique symbol = Symbol.for('broadside') as never;
const page = window as unknown as Page;
page[KEY] ??= {};
export const shared: Shared = page[KEY];

/**
 * A script's address as a page takes it that requires Trusted Types. Its own policy allows the one of this name, once.
 * Addresses are those of the page's own options and of this bundle.
 */
export function trusted(url: string): string {
  shared.policy ??= page.trustedTypes?.createPolicy('broadside', {
    __proto__: null,
    createScriptURL: (given: string) => given,
  } as unknown as Policy);
  return (shared.policy?.createScriptURL(url) ?? url) as string;
}
