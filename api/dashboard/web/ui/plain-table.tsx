import type { ReactNode } from 'react';
import classes from './plain-table.module.css';

export interface PlainTableProps {
  /** The table's name, for screen readers. */
  readonly label?: string | undefined;
  /** `roomy`: for lists, whose row under the pointer stands out. `compact`: many columns beside another. */
  readonly spacing?: 'roomy' | 'compact' | undefined;
  readonly className?: string | undefined;
  readonly isBusy?: boolean;
  readonly children: ReactNode;
}

/**
 * A table whose cells are the browser's own `th` and `td`: the component library's are a component each, and a page of
 * charts has a thousand.
 */
export function PlainTable({ label, spacing, className, isBusy, children }: PlainTableProps): ReactNode {
  const names = [classes.table, spacing && classes[spacing], className].filter(Boolean).join(' ');
  return (
    // The role is written out: a table that is laid out as cards would lose it.
    <table role="table" className={names} aria-busy={isBusy}>
      {label !== undefined && <caption className="visually-hidden">{label}</caption>}
      {children}
    </table>
  );
}

/** Of a cell that holds a figure. */
export const figureClass = classes.figure;
