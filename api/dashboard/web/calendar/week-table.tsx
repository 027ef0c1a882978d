import type { ReactNode } from 'react';
import type { Entry } from '../data/calendar/queries.ts';
import { t } from '../texts/t.ts';
import classes from './calendar.module.css';
import { dayOf, hourName, longDay, weekday } from './days.ts';
import { DropCell } from './drop-cell.tsx';
import { EntryCard } from './entry-card.tsx';
import type { TableProps } from './month-table.tsx';

const hours = Array.from({ length: 24 }, (_, hour) => hour);

/** Seven days by hours. What is dropped at another hour keeps its minutes. */
export const WeekTable = ({ app, days, entries, move, onMove }: TableProps): ReactNode => (
  <div className={classes.frame}>
    <table className={classes.table} data-view="week">
      <caption className="visually-hidden">{t.calendar.caption}</caption>
      <thead>
        <tr>
          <td />
          {days.map((day) => (
            <th key={dayOf(day)} scope="col" aria-label={longDay(day)}>
              {weekday(day)} {day.getDate()}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {hours.map((hour) => (
          <tr key={hour}>
            <th scope="row" className={classes.hour}>
              {hourName(hour)}
            </th>
            {days.map((day) => (
              <DropCell
                key={dayOf(day)}
                entries={entries}
                at={(entry) => timeOf(entry, day, hour)}
                move={move}
                isToday={dayOf(day) === dayOf(new Date())}
              >
                {entries
                  .filter(({ at }) => isIn(new Date(at), day, hour))
                  .map((entry) => (
                    <EntryCard
                      key={`${entry.kind} ${entry.id} ${entry.at}`}
                      app={app}
                      entry={entry}
                      onMove={onMove}
                    />
                  ))}
              </DropCell>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  </div>
);

const isIn = (at: Date, day: Date, hour: number): boolean =>
  dayOf(at) === dayOf(day) && at.getHours() === hour;

const timeOf = ({ at }: Entry, day: Date, hour: number): Date =>
  new Date(day.getFullYear(), day.getMonth(), day.getDate(), hour, new Date(at).getMinutes());
