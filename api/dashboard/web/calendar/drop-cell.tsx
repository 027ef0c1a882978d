import { type DragEvent, type ReactNode, useState } from 'react';
import type { Entry } from '../data/calendar/queries.ts';
import classes from './calendar.module.css';
import { DRAGGED } from './entry-card.tsx';
import type { UseMove } from './use-move.tsx';

interface Props {
  readonly entries: readonly Entry[];
  /** The time of an entry that is dropped here. */
  readonly at: (entry: Entry) => Date;
  readonly move: UseMove['move'];
  readonly isOther?: boolean;
  readonly isToday?: boolean;
  readonly children: ReactNode;
}

/** A cell of a table that takes deliveries that wait for their time. */
export function DropCell({
  entries,
  at,
  move,
  isOther = false,
  isToday = false,
  children,
}: Props): ReactNode {
  const [isOver, setOver] = useState(false);
  const over = (event: DragEvent): void => {
    if (!event.dataTransfer.types.includes(DRAGGED)) return;
    event.preventDefault();
    setOver(true);
  };
  const drop = (event: DragEvent): void => {
    setOver(false);
    const id = Number(event.dataTransfer.getData(DRAGGED));
    const entry = entries.find((each) => each.kind === 'delivery' && each.id === id);
    if (entry === undefined) return;
    event.preventDefault();
    const to = at(entry);
    if (to.getTime() !== Date.parse(entry.at)) move({ entry, to });
  };
  return (
    <td
      className={classes.cell}
      data-other={isOther}
      data-today={isToday}
      data-over={isOver}
      onDragOver={over}
      onDragLeave={() => setOver(false)}
      onDrop={drop}
    >
      {children}
    </td>
  );
}
