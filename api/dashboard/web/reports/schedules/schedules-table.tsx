import { Button, Group, Stack, Text } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { formatTimeIn } from '../../format/format.ts';
import { t } from '../../texts/t.ts';
import { ConfirmedButton } from '../../ui/confirmed-button.tsx';
import { type Column, DataTable } from '../../ui/data-table.tsx';
import type { Ask } from '../use-jobs.ts';
import type { Schedule } from './answers.ts';
import { History } from './history.tsx';
import { whenText } from './when.ts';

const words = t.reportSchedules;

interface SchedulesTableProps {
  readonly schedules: readonly Schedule[];
  readonly ask: Ask;
  readonly onChange: () => Promise<void>;
}

export function SchedulesTable({ schedules, ask, onChange }: SchedulesTableProps): ReactNode {
  const [shown, setShown] = useState<Schedule | null>(null);
  const columns: readonly Column<Schedule>[] = [
    { key: 'report', header: words.report, names: true, cell: (each) => <Name schedule={each} /> },
    { key: 'when', header: words.when.title, cell: ({ cron, timezone }) => whenText(cron, timezone) },
    { key: 'to', header: words.to, cell: (each) => <Destination schedule={each} /> },
    { key: 'next', header: words.next, time: true, cell: nextText },
    {
      key: 'acts',
      header: t.table.acts,
      acts: true,
      cell: (each) => <Acts schedule={each} ask={ask} onChange={onChange} onHistory={() => setShown(each)} />,
    },
  ];
  return (
    <>
      <DataTable label={words.title} columns={columns} rows={schedules} keyOf={({ id }) => id} />
      {shown !== null && <History schedule={shown} ask={ask} onClose={() => setShown(null)} />}
    </>
  );
}

function nextText({ next_at: next, stopped_why: why, cron, timezone }: Schedule): string {
  if (why !== null) return words.stopped(why);
  return next === null ? (cron === null ? words.waits : '–') : formatTimeIn(next, timezone);
}

const Name = ({ schedule: { saved_name: name, made_by: by } }: { schedule: Schedule }): ReactNode => (
  <Stack gap={2}>
    {name}
    <Text size="xs" c="dimmed" miw="8.5rem" style={{ overflowWrap: 'anywhere' }}>
      {words.by(by ?? words.left)}
    </Text>
  </Stack>
);

const Destination = ({ schedule: { destination, format } }: { schedule: Schedule }): ReactNode => (
  <Stack gap={2}>
    <Text size="sm" miw="10rem" style={{ overflowWrap: 'anywhere' }}>
      {destination.kind === 'email' ? destination.addresses.join(', ') : destination.url}
    </Text>
    <Text size="xs" c="dimmed">
      {words.kinds[destination.kind]}, {t.reports.formats[format]}
    </Text>
  </Stack>
);

interface ActsProps {
  readonly schedule: Schedule;
  readonly ask: Ask;
  readonly onChange: () => Promise<void>;
  readonly onHistory: () => void;
}

function Acts({ schedule, ask, onChange, onHistory }: ActsProps): ReactNode {
  const { id, saved_name: name, may_change: mayChange, stopped_why: why } = schedule;
  const post = async (path: string): Promise<void> => {
    // Also where a colleague was first: the list is another one then.
    await ask({ method: 'POST', path: `/schedules/${id}${path}` }).finally(onChange);
  };
  return (
    <Group justify="flex-end" gap={4} miw="11rem">
      <Button size="xs" variant="default" aria-label={words.historyOf(name)} onClick={onHistory}>
        {words.history}
      </Button>
      {mayChange && (
        <>
          <ConfirmedButton
            label={words.run}
            name={words.runOf(name)}
            title={words.runQuestion(name)}
            text={words.runAbout}
            act={words.run}
            harmless
            run={() => post('/runs')}
            done={words.runBegan(name)}
            button={{ size: 'xs' }}
          />
          <ConfirmedButton
            label={why === null ? words.pause : words.resume}
            name={why === null ? words.pauseOf(name) : words.resumeOf(name)}
            title={why === null ? words.pauseQuestion(name) : words.resumeQuestion(name)}
            text={why === null ? words.pauseAbout : words.resumeAbout}
            act={why === null ? words.pause : words.resume}
            harmless
            run={() => post(why === null ? '/pause' : '/resume')}
            done={why === null ? words.paused(name) : words.resumed(name)}
            button={{ size: 'xs' }}
          />
          <ConfirmedButton
            label={t.actions.delete}
            name={words.deleteOf(name)}
            title={words.deleteQuestion(name)}
            text={words.deleteAbout}
            act={t.actions.delete}
            run={async () => {
              await ask({ method: 'DELETE', path: `/schedules/${id}` }).finally(onChange);
            }}
            done={words.deleted(name)}
            button={{ size: 'xs' }}
          />
        </>
      )}
    </Group>
  );
}
