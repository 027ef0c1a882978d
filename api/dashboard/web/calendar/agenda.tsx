import { Stack, Text, Title } from '@mantine/core';
import type { ReactNode } from 'react';
import { t } from '../texts/t.ts';
import { dayOf, longDay, startOf } from './days.ts';
import { EntryCard } from './entry-card.tsx';
import type { TableProps } from './month-table.tsx';

/** The same days on a phone: a list of those that have something, from today on, then those before. */
export function Agenda({ days, entries, ...rest }: TableProps): ReactNode {
  const today = startOf(undefined);
  const full = days
    .map((day) => ({ day, own: entries.filter(({ at }) => dayOf(new Date(at)) === dayOf(day)) }))
    .filter(({ own }) => own.length > 0);
  if (full.length === 0) return <Text c="dimmed">{t.calendar.empty}</Text>;
  const toCome = full.filter(({ day }) => day >= today);
  const before = full.filter(({ day }) => day < today);
  return (
    <Stack gap="lg">
      <Days full={toCome} {...rest} />
      {toCome.length > 0 && before.length > 0 && (
        <Title order={2} size="h4">
          {t.calendar.earlier}
        </Title>
      )}
      <Days full={before} {...rest} />
    </Stack>
  );
}

interface DaysProps extends Omit<TableProps, 'days' | 'entries'> {
  readonly full: readonly { readonly day: Date; readonly own: TableProps['entries'] }[];
}

const Days = ({ app, full, onMove }: DaysProps): ReactNode =>
  full.length > 0 && (
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
