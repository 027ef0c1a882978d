import { Badge, Group, Text } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { bodyOf } from '../data/http/api.ts';
import { useApi } from '../data/http/services.tsx';
import { type Session, sessionsKey, sessionsQuery } from '../data/organization/queries.ts';
import { formatAgo, formatDay } from '../format/format.ts';
import { t } from '../texts/t.ts';
import { ConfirmedButton } from '../ui/confirmed-button.tsx';
import { type Column, DataTable } from '../ui/data-table.tsx';
import { LoadProblem } from '../ui/loading.tsx';
import { Section } from '../ui/section.tsx';

const words = t.sessions;

const columns: readonly Column<Session>[] = [
  {
    key: 'browser',
    header: words.browser,
    names: true,
    cell: ({ browser, current }) => (
      <Group gap="xs">
        {browser ?? words.unknown}
        {current && <Badge>{words.current}</Badge>}
      </Group>
    ),
  },
  { key: 'address', header: words.address, cell: ({ address }) => <Text size="sm">{address ?? '–'}</Text> },
  { key: 'since', header: words.since, cell: ({ created_at }) => formatDay(created_at) },
  { key: 'used', header: words.used, cell: ({ last_used_at }) => formatAgo(last_used_at) },
  {
    key: 'acts',
    header: t.table.acts,
    acts: true,
    // The one of this page is ended by logging out.
    cell: (session) => !session.current && <End session={session} />,
  },
];

/** Where the logged-in user is logged in. */
export function Sessions(): ReactNode {
  const query = useQuery(sessionsQuery(useApi()));
  return (
    <Section title={words.title} description={words.description}>
      {query.isError ? (
        <LoadProblem error={query.error} onRetry={() => void query.refetch()} />
      ) : (
        <DataTable label={words.title} columns={columns} rows={query.data} keyOf={({ id }) => id} />
      )}
    </Section>
  );
}

function End({ session: { id, browser } }: { session: Session }): ReactNode {
  const api = useApi();
  const queries = useQueryClient();
  const name = browser ?? words.unknown;
  const run = async (): Promise<void> => {
    const params = { path: { session_id: String(id) } };
    await bodyOf(api.DELETE('/api/v1/account/sessions/{session_id}', { params }));
    await queries.invalidateQueries({ queryKey: sessionsKey });
  };
  return (
    <Group justify="flex-end">
      <ConfirmedButton
        label={words.end}
        name={words.endTitle(name)}
        title={words.question(name)}
        text={words.consequence}
        act={words.act}
        run={run}
        done={words.done}
        button={{ size: 'xs' }}
      />
    </Group>
  );
}
