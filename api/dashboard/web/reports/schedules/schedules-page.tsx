import { Alert, Anchor, Button, Group, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import { wordsOf } from '../../data/http/problem.ts';
import { t } from '../../texts/t.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import { IconCalendar } from '../../ui/icons.ts';
import { Lines } from '../../ui/loading.tsx';
import { SecretOnce } from '../../ui/secret-once.tsx';
import { TokenPage } from '../token-page.tsx';
import { useReports } from '../use-reports.ts';
import { useSaved } from '../use-saved.ts';
import { NewSchedule } from './new-schedule.tsx';
import { SchedulesTable } from './schedules-table.tsx';
import { useSchedules } from './use-schedules.ts';

const words = t.reportSchedules;

/** Saved reports that make themselves, and where their files go. */
export const SchedulesPage = (): ReactNode => (
  <TokenPage
    title={words.title}
    description={words.description}
    crumbs={[{ label: t.nav.reports, to: '/reports' }]}
  >
    {(token, onRefused) => <Schedules token={token} onRefused={onRefused} />}
  </TokenPage>
);

function Schedules({ token, onRefused }: { token: string; onRefused: () => void }): ReactNode {
  const { ask } = useReports(token);
  const { schedules, refresh } = useSchedules({ token, ask, onRefused });
  const { saved } = useSaved(token, ask, () => {});
  const [isNew, setNew] = useState(false);
  const [secret, setSecret] = useState<string | null>(null);
  if (schedules.error !== null)
    return (
      <Alert color="red" role="alert" title={t.problems.title}>
        {wordsOf(schedules.error)}
      </Alert>
    );
  if (schedules.data === undefined || saved.data === undefined) return <Lines />;
  const { data, meta } = schedules.data;
  if (!meta.available) return <Alert color="yellow">{words.notSetUp}</Alert>;
  const hasReports = saved.data.length > 0;
  const make = hasReports ? (
    <Button onClick={() => setNew(true)}>{words.make}</Button>
  ) : (
    <Anchor renderRoot={(props) => <Link to="/reports" {...props} />}>{words.saveFirst}</Anchor>
  );
  return (
    <>
      {data.length === 0 ? (
        <EmptyState icon={IconCalendar} title={words.none} action={make}>
          {hasReports ? words.noneAbout : words.nothingSaved}
        </EmptyState>
      ) : (
        <>
          <Group justify="space-between">
            <Text size="sm" c="dimmed">
              {words.rights}
            </Text>
            {make}
          </Group>
          <SchedulesTable schedules={data} ask={ask} onChange={refresh} />
        </>
      )}
      {isNew && (
        <NewSchedule
          reports={saved.data}
          hasMail={meta.email}
          ask={ask}
          onMade={(made) => {
            setSecret(made.secret ?? null);
            void refresh();
          }}
          onClose={() => setNew(false)}
        />
      )}
      {secret !== null && <SecretOnce secret={secret} words={words.once} onClose={() => setSecret(null)} />}
    </>
  );
}
