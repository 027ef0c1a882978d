import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useSearch } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import { channelsQuery } from '../data/alerts/queries.ts';
import { useApi } from '../data/http/services.tsx';
import { t } from '../texts/t.ts';
import { EmptyState } from '../ui/empty-state.tsx';
import { IconBell } from '../ui/icons.ts';
import { Loaded } from '../ui/loading.tsx';
import { Page } from '../ui/page.tsx';
import { AddChannel } from './add-channel.tsx';
import { Channels } from './channels.tsx';
import { History } from './history.tsx';
import { type Tested, TestResult } from './test-result.tsx';

/** Where the organization gets its alerts, and which there were. */
export function AlertsPage(): ReactNode {
  const { page = 1 } = useSearch({ from: '/in/settings/alerts' });
  const query = useQuery(channelsQuery(useApi()));
  const [adding, setAdding] = useState(false);
  const [tested, setTested] = useState<Tested | null>(null);
  const channels = query.data?.data;
  const isEmpty = channels?.length === 0;
  // The result of a test goes with its channel.
  const shown = channels?.some(({ id }) => id === tested?.channel) ? tested : null;
  const add = <Button onClick={() => setAdding(true)}>{t.alerts.add}</Button>;
  return (
    <Page title={t.alerts.title} description={t.alerts.description} actions={!isEmpty && add}>
      <Loaded query={query} placeholder={<Channels channels={undefined} onTested={setTested} />}>
        {({ data }) => (
          <>
            {isEmpty ? (
              <EmptyState icon={IconBell} title={t.alerts.emptyTitle} action={add}>
                {t.alerts.empty}
              </EmptyState>
            ) : (
              <Channels channels={data} onTested={setTested} />
            )}
            {shown !== null && <TestResult key={shown.alert} tested={shown} />}
            <History page={page} />
          </>
        )}
      </Loaded>
      {adding && <AddChannel onClose={() => setAdding(false)} />}
    </Page>
  );
}
