import type { Ledger } from '../../engine/adapters/postgres/ad-ledger.ts';
import { type IdnName, idnNamesOf } from './domain-names.ts';

/** Names of other scripts among the rows that the ledger lets through, and perhaps further ones. */
export type NamesOf = (ledger: Pick<Ledger, 'maxLoad' | 'hidden'>) => Promise<readonly IdnName[]>;

/**
 * Read once for each state of the ledger. Rows are stored before the ledger lets them through, so what is read after
 * a state was seen holds all names of that state.
 */
export function createKnownNames(read: () => Promise<readonly string[]>): NamesOf {
  let known: { readonly state: string; readonly names: Promise<readonly IdnName[]> } | null = null;
  return ({ maxLoad, hidden }) => {
    const state = `${maxLoad} ${hidden.join(' ')}`;
    if (known?.state === state) return known.names;
    const names = read().then(idnNamesOf);
    known = { state, names };
    names.catch(() => {
      if (known?.names === names) known = null;
    });
    return names;
  };
}
