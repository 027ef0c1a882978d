import type { Ledger } from '../../engine/adapters/postgres/ad-ledger.ts';

/** Something small about the rows that the ledger lets through, and perhaps about further ones. */
export type KnownOf<Value> = (ledger: Pick<Ledger, 'maxLoad' | 'hidden'>) => Promise<Value>;

/**
 * Read once for each state of the ledger. Rows are stored before the ledger admits them, so a read after a
 * state was seen holds all rows of that state.
 */
export function createKnown<Value>(read: () => Promise<Value>): KnownOf<Value> {
  let known: { readonly state: string; readonly value: Promise<Value> } | null = null;
  return ({ maxLoad, hidden }) => {
    const state = `${maxLoad} ${hidden.join(' ')}`;
    if (known?.state === state) return known.value;
    const value = read();
    known = { state, value };
    value.catch(() => {
      if (known?.value === value) known = null;
    });
    return value;
  };
}
