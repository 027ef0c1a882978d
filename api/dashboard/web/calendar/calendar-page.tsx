import { ActionIcon, Alert, Button, Group, Text, VisuallyHidden } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import { useApp } from '../data/apps/use-app.ts';
import { calendarQuery, type Entry } from '../data/calendar/queries.ts';
import { useApi } from '../data/http/services.tsx';
import { zoneAt } from '../format/local-time.ts';
import { t } from '../texts/t.ts';
import { ChoiceBar } from '../ui/choice-bar.tsx';
import { IconChevronLeft, IconChevronRight } from '../ui/icons.ts';
import { Loaded } from '../ui/loading.tsx';
import { Page } from '../ui/page.tsx';
import { useMatches } from '../ui/use-matches.ts';
import { Agenda } from './agenda.tsx';
import {
  addDays,
  dayOf,
  daysOf,
  daysToCome,
  monthName,
  rangeOf,
  startOf,
  startOfMonth,
  step,
  type View,
} from './days.ts';
import { MonthTable } from './month-table.tsx';
import { MoveDialog } from './move-dialog.tsx';
import { useMove } from './use-move.tsx';
import { WeekTable } from './week-table.tsx';

const words = t.calendar;

/** What was sent, what is scheduled and what is expected: a month, or a week. */
export function CalendarPage(): ReactNode {
  const app = useApp();
  const search = useSearch({ from: '/in/apps/$app/calendar' });
  const view = search.view === 'week' ? 'week' : 'month';
  const shown = startOf(search.day === undefined ? undefined : String(search.day));
  // Without a day, what is to come; with one, its month or week.
  const isToCome = search.day === undefined;
  const days = isToCome ? daysToCome(view) : daysOf(view, shown);
  const [first = shown] = days;
  const last = days.at(-1) ?? shown;
  const query = useQuery(calendarQuery(useApi(), app.identifier, first, addDays(last, 1)));
  const isNarrow = useMatches('(max-width: 48em)');
  const [asked, setAsked] = useState<Entry | null>(null);
  const { move } = useMove(app.identifier);
  return (
    <Page title={words.title} description={words.zone(zoneAt(shown))}>
      <Bar
        view={view}
        shown={shown}
        title={view === 'month' && !isToCome ? monthName(shown) : rangeOf(first, last)}
        isToCome={isToCome}
      />
      <Loaded query={query}>
        {({ entries, truncated }) => {
          const table = { app: app.identifier, days, entries, move, onMove: setAsked };
          return (
            <>
              {truncated && <Alert color="yellow">{words.truncated}</Alert>}
              {isNarrow ? (
                <Agenda {...table} />
              ) : view === 'month' ? (
                <MonthTable {...table} month={isToCome ? null : shown.getMonth()} />
              ) : (
                <WeekTable {...table} />
              )}
            </>
          );
        }}
      </Loaded>
      {asked !== null && <MoveDialog entry={asked} move={move} onClose={() => setAsked(null)} />}
    </Page>
  );
}

interface BarProps {
  readonly view: View;
  readonly shown: Date;
  readonly title: string;
  /** What is shown begins today, whenever that is. */
  readonly isToCome: boolean;
}

/** Which days are shown, and how to get to others. */
function Bar({ view, shown, title, isToCome }: BarProps): ReactNode {
  const navigate = useNavigate();
  const { identifier: app } = useApp();
  const go = (to: Date | null, as: View = view): void =>
    void navigate({
      to: '/apps/$app/calendar',
      params: { app },
      search: { view: as, ...(to === null ? {} : { day: dayOf(to) }) },
    });
  return (
    <Group justify="space-between" gap="sm">
      <Group gap="xs">
        <ActionIcon
          size={36}
          variant="default"
          aria-label={words.before[view]}
          onClick={() => go(isToCome && view === 'month' ? startOfMonth(shown) : step(view, shown, -1))}
        >
          <IconChevronLeft size={18} aria-hidden />
        </ActionIcon>
        <ActionIcon
          size={36}
          variant="default"
          aria-label={words.after[view]}
          onClick={() => go(step(view, shown, 1))}
        >
          <IconChevronRight size={18} aria-hidden />
        </ActionIcon>
        <Button variant="default" onClick={() => go(null)}>
          {words.today}
        </Button>
        <Text fw={600} size="lg" role="status">
          {title}
        </Text>
      </Group>
      <div>
        <VisuallyHidden id="calendar-view">{words.view}</VisuallyHidden>
        <ChoiceBar
          aria-labelledby="calendar-view"
          data={(['month', 'week'] as const).map((value) => ({ value, label: words.views[value] }))}
          value={view}
          onChange={(value) => go(isToCome ? null : shown, value)}
        />
      </div>
    </Group>
  );
}
