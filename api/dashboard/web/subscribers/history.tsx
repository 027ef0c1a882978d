import { Anchor, Group, Text } from '@mantine/core';
import { useQueries, useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useApi } from '../data/http/services.tsx';
import {
  type Sent,
  type Subscriber,
  sentSinceQuery,
  type Trace,
  traceQuery,
} from '../data/subscribers/queries.ts';
import { formatTime } from '../format/format.ts';
import { toPage } from '../format/page-search.ts';
import { Decision } from '../parts/decision.tsx';
import { DeliveryLink } from '../parts/delivery-link.tsx';
import { t } from '../texts/t.ts';
import { type Column, DataTable } from '../ui/data-table.tsx';
import { LoadProblem } from '../ui/loading.tsx';
import { Section } from '../ui/section.tsx';

const words = t.subscriber;

interface Row {
  readonly delivery: Sent;
  /** Undefined while it loads; null where it is unknown. */
  readonly trace: Trace | null | undefined;
}

const columnsOf = (app: string, subscriber: string): readonly Column<Row>[] => [
  {
    key: 'name',
    header: words.delivery,
    names: true,
    cell: ({ delivery: { id, name } }) => <DeliveryLink app={app} id={id} name={name} />,
  },
  {
    key: 'when',
    header: words.when,
    time: true,
    cell: ({ delivery }) => formatTime(delivery.started_at ?? delivery.scheduled_at ?? delivery.created_at),
  },
  {
    key: 'outcome',
    header: words.outcome,
    cell: ({ delivery, trace }) => (
      <Group gap="xs">
        {trace === null ? t.subscribers.unknown : <Decision trace={trace} rehearsal={delivery.rehearsal} />}
        <Anchor
          size="sm"
          renderRoot={(props) => (
            <Link
              to="/apps/$app/subscribers/$subscriber/deliveries/$delivery"
              params={{ app, subscriber, delivery: String(delivery.id) }}
              aria-label={words.whyOf(delivery.name)}
              {...props}
            />
          )}
        >
          {words.why}
        </Anchor>
      </Group>
    ),
  },
];

/** The app's deliveries since the subscriber came; the result of each is loaded beside, ten at a time. */
export function History({ app, subscriber }: { app: string; subscriber: Subscriber }): ReactNode {
  const api = useApi();
  const { page = 1 } = useSearch({ from: '/in/apps/$app/subscribers/$subscriber' });
  const navigate = useNavigate({ from: '/apps/$app/subscribers/$subscriber' });
  const sent = useQuery(sentSinceQuery(api, app, subscriber.created_at, page));
  const id = String(subscriber.id);
  const traces = useQueries({
    queries: (sent.data?.data ?? []).map((delivery) => traceQuery(api, app, id, String(delivery.id))),
  });
  const rows = sent.data?.data.map((delivery, index) => ({
    delivery,
    trace: traces[index]?.isError ? null : traces[index]?.data,
  }));
  return (
    <Section title={words.history} description={words.historyAbout}>
      {sent.isError ? (
        <LoadProblem error={sent.error} onRetry={() => void sent.refetch()} />
      ) : rows?.length === 0 ? (
        <Text size="sm">{words.historyEmpty}</Text>
      ) : (
        <DataTable
          label={words.historyList}
          columns={columnsOf(app, id)}
          rows={rows}
          keyOf={({ delivery }) => delivery.id}
          paging={
            sent.data && {
              meta: sent.data.meta,
              onPage: (to) => void navigate({ search: toPage(to) }),
            }
          }
        />
      )}
    </Section>
  );
}
