import { Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { t } from '../texts/t.ts';
import { dayOf, longDay } from './days.ts';
import { EntryCard } from './entry-card.tsx';
import type { TableProps } from './month-table.tsx';

/** The same days on a phone: a list of those that have something. */
export function Agenda({ app, days, entries, onMove }: TableProps): ReactNode {
  const full = days
    .map((day) => ({ day, own: entries.filter(({ at }) => dayOf(new Date(at)) === dayOf(day)) }))
    .filter(({ own }) => own.length > 0);
  if (full.length === 0) return <Text c="dimmed">{t.calendar.empty}</Text>;
  return (
    <Stack gap="md" component="ul" p={0} m={0} style={{ listStyle: 'none' }}>
      {full.map(({ day, own }) => (
        <li key={dayOf(day)}>
          <Text fw={600} size="sm" mb={4}>
            {longDay(day)}
          </Text>
          <Stack gap={4}>
            {own.map((entry) => (
              <EntryCard
                key={`${entry.kind} ${entry.id} ${entry.at}`}
                app={app}
                entry={entry}
                onMove={onMove}
              />
            ))}
          </Stack>
        </li>
      ))}
    </Stack>
  );
}
