import { useState } from 'react';
import type { Column } from './data-table.tsx';

const keyOf = (table: string): string => `broadside.columns.${table}`;

/** Keys of the columns that are not shown; what another version of the page kept may name others. */
function readHidden(table: string): readonly string[] {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(keyOf(table)) ?? '[]');
    return Array.isArray(kept) ? kept.filter((each) => typeof each === 'string') : [];
  } catch {
    return [];
  }
}

export interface ChosenColumns<Row> {
  readonly shown: readonly Column<Row>[];
  /** All but those that name their row: a table without them says nothing. */
  readonly choices: readonly { readonly key: string; readonly header: string; readonly isShown: boolean }[];
  readonly toggle: (key: string) => void;
}

/** The columns that somebody chose for this table, kept in this browser. */
export function useChosenColumns<Row>(table: string, columns: readonly Column<Row>[]): ChosenColumns<Row> {
  const [hidden, setHidden] = useState(() => readHidden(table));
  const isShown = ({ key, names = false }: Column<Row>): boolean => names || !hidden.includes(key);
  return {
    shown: columns.filter(isShown),
    choices: columns
      .filter(({ names = false, acts = false }) => !names && !acts)
      .map((column) => ({ key: column.key, header: column.header, isShown: isShown(column) })),
    toggle: (key) => {
      const next = hidden.includes(key) ? hidden.filter((each) => each !== key) : [...hidden, key];
      setHidden(next);
      localStorage.setItem(keyOf(table), JSON.stringify(next));
    },
  };
}
