import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { Entry } from '../data/calendar/queries.ts';
import { t } from '../texts/t.ts';
import classes from './calendar.module.css';
import { dayOf, longDay, numberOf, weekday } from './days.ts';
import { DropCell } from './drop-cell.tsx';
import { EntryCard } from './entry-card.tsx';
import type { UseMove } from './use-move.tsx';

export interface TableProps {
  readonly app: string;
  readonly days: readonly Date[];
  readonly entries: readonly Entry[];
  readonly move: UseMove['move'];
  /** Asks for a time. */
  readonly onMove: (entry: Entry) => void;
}

/** Where one begins to choose a time. */
const MORNING = 9;
/** Of one day; the others are in its week. */
const MOST_SHOWN = 4;

/** Whole weeks, days of other months paler. What is dropped on another day keeps its time of day. */
export function MonthTable({ month, ...props }: TableProps & { readonly month: number | null }): ReactNode {
  const { days } = props;
  const weeks = Array.from({ length: days.length / 7 }, (_, week) => days.slice(week * 7, week * 7 + 7));
  return (
    <div className={classes.frame}>
      <table className={classes.table}>
        <caption className="visually-hidden">{t.calendar.caption}</caption>
        <thead>
          <tr>
            {days.slice(0, 7).map((day) => (
              <th key={day.getDay()} scope="col">
                {weekday(day)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {weeks.map((week) => (
            <tr key={dayOf(week[0] ?? new Date())}>
              {week.map((day) => (
                <Day
                  key={dayOf(day)}
                  day={day}
                  isOther={month !== null && day.getMonth() !== month}
                  {...props}
                />
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function Day({
  day,
  isOther,
  app,
  entries,
  move,
  onMove,
}: TableProps & { readonly day: Date; readonly isOther: boolean }): ReactNode {
  const own = entries.filter(({ at }) => dayOf(new Date(at)) === dayOf(day));
  const at = (entry: Entry): Date => {
    const to = new Date(entry.at);
    to.setFullYear(day.getFullYear(), day.getMonth(), day.getDate());
    return to;
  };
  return (
    <DropCell
      entries={entries}
      at={at}
      move={move}
      isOther={isOther}
      isToday={dayOf(day) === dayOf(new Date())}
    >
      <div className={classes.head}>
        <time dateTime={dayOf(day)} className={classes.number}>
          <span aria-hidden>{numberOf(day)}</span>
          <span className="visually-hidden">{longDay(day)}</span>
        </time>
        {day > new Date() && (
          <Link
            to="/apps/$app/compose"
            params={{ app }}
            search={{ at: new Date(day).setHours(MORNING) }}
            className={classes.add}
            aria-label={t.calendar.add(longDay(day))}
          >
            +
          </Link>
        )}
      </div>
      {shownOf(own).map((entry) => (
        <EntryCard key={`${entry.kind} ${entry.id} ${entry.at}`} app={app} entry={entry} onMove={onMove} />
      ))}
      {own.length > MOST_SHOWN && (
        <Link
          to="/apps/$app/calendar"
          params={{ app }}
          search={{ view: 'week', day: dayOf(day) }}
          className={classes.more}
        >
          {t.calendar.more(own.length - MOST_SHOWN)}
        </Link>
      )}
    </DropCell>
  );
}

/** Of a day that has more than is shown, rather what is still to come. */
function shownOf(own: readonly Entry[]): readonly Entry[] {
  const toCome = own.filter(({ at }) => Date.parse(at) > Date.now());
  const over = own.slice(0, own.length - toCome.length);
  return [...over.slice(0, Math.max(0, MOST_SHOWN - toCome.length)), ...toCome].slice(0, MOST_SHOWN);
}
