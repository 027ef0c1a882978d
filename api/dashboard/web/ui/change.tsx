import type { ReactNode } from 'react';
import { formatChange } from '../format/format.ts';
import { t } from '../texts/t.ts';
import classes from './change.module.css';

export interface ChangeProps {
  readonly now: number;
  /** Percent; null: there was nothing before. */
  readonly percent: number | null;
  /** The value before, in words. */
  readonly before: string;
  /** By how much, in words with its sign. */
  readonly difference?: string | undefined;
}

const arrows = { up: '▲', down: '▼', same: '' } as const;

/** How a figure changed, under it: a sign, an arrow and a colour say the same. */
export function Change({ now, percent, before, difference }: ChangeProps): ReactNode {
  const way =
    percent === null ? (now > 0 ? 'up' : 'same') : percent > 0 ? 'up' : percent < 0 ? 'down' : 'same';
  const text = percent === null ? (now > 0 ? t.table.isNew : '–') : formatChange(percent);
  return (
    <span className={classes.change} data-way={way}>
      <b>
        {arrows[way] !== '' && <span aria-hidden>{arrows[way]} </span>}
        {text}
      </b>
      {difference !== undefined && percent !== null && ` (${difference})`} {t.table.before(before)}
    </span>
  );
}
