import { Anchor, Badge, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { type Alert, historyQuery, type Send } from '../data/alerts/queries.ts';
import { useApi } from '../data/http/services.tsx';
import { formatNumber, formatTime } from '../format/format.ts';
import { toPage } from '../format/page-search.ts';
import { t } from '../texts/t.ts';
import { type Column, DataTable } from '../ui/data-table.tsx';
import { Loaded } from '../ui/loading.tsx';
import { Section } from '../ui/section.tsx';
import classes from './alerts.module.css';
import { happenedOf, nameOf, stateColors } from './words.ts';

/** The alerts, newest first, with the state of each send. */
export function History({ page }: { page: number }): ReactNode {
  const navigate = useNavigate({ from: '/settings/alerts' });
  const query = useQuery(historyQuery(useApi(), page));
  return (
    <Section title={t.alerts.history} description={t.alerts.historyHint}>
      <Loaded query={query}>
        {({ data, meta }) =>
          meta.total === 0 ? (
            <Text c="dimmed">{t.alerts.historyEmpty}</Text>
          ) : (
            <DataTable
              label={t.alerts.history}
              columns={columns}
              rows={data}
              keyOf={({ id }) => id}
              paging={{ meta, onPage: (to) => void navigate({ search: toPage(to) }) }}
            />
          )
        }
      </Loaded>
    </Section>
  );
}

const columns: readonly Column<Alert>[] = [
  {
    key: 'what',
    header: t.alerts.what,
    names: true,
    cell: (alert) => (
      <div className={classes.words}>
        {t.alerts.labels[alert.kind]}
        <Text size="sm" fw={400}>
          {happenedOf(alert)}
        </Text>
        {alert.app !== null && <App app={alert.app} />}
      </div>
    ),
  },
  { key: 'at', header: t.alerts.at, time: true, cell: ({ created_at: at }) => formatTime(at) },
  {
    key: 'sends',
    header: t.alerts.sends,
    cell: ({ sends }) =>
      sends.length === 0 ? (
        t.alerts.nowhere
      ) : (
        <Stack gap="xs">
          {sends.map((send) => (
            <OneSend key={send.channel_id} send={send} />
          ))}
        </Stack>
      ),
  },
];

const App = ({ app }: { app: string }): ReactNode => (
  <Anchor size="xs" fw={400} renderRoot={(props) => <Link to="/apps/$app" params={{ app }} {...props} />}>
    {app}
  </Anchor>
);

function OneSend({ send }: { send: Send }): ReactNode {
  const { channel_id: id, channel_kind: kind, address, state, more, last_answer: answer } = send;
  const notes = [answer, more === 0 ? null : t.alerts.more(formatNumber(more))].filter(
    (note) => note !== null,
  );
  return (
    <div className={classes.words}>
      <Badge miw="max-content" color={stateColors[state]}>
        {t.alerts.states[state]}
      </Badge>{' '}
      {nameOf({ id, kind, address })}
      {notes.length > 0 && (
        <Text size="xs" c="dimmed">
          {notes.join(' · ')}
        </Text>
      )}
    </div>
  );
}
