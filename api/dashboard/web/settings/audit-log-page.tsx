import { Anchor, Code, Group, Select, Text, TextInput } from '@mantine/core';
import { IconHistory } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useApi } from '../http/services.tsx';
import { type Column, DataTable } from '../shell/data-table.tsx';
import { EmptyState } from '../shell/empty-state.tsx';
import { formatTime } from '../shell/format.ts';
import { LoadProblem } from '../shell/loading.tsx';
import { Page } from '../shell/page.tsx';
import { t } from '../texts/t.ts';
import { OrganizationChoice } from './organization-choice.tsx';
import { type AuditEntry, auditQuery } from './queries.ts';
import { type AuditSearch, auditSearch } from './search.ts';

/** Who changed what, newest first. */
export function AuditLogPage(): ReactNode {
  const search = useSearch({ from: '/in/settings/audit-log' });
  const navigate = useNavigate({ from: '/settings/audit-log' });
  const query = useQuery(auditQuery(useApi(), search));
  /** A filter begins at the first page; an empty one is taken out of the address. */
  const filter = (change: Record<string, unknown>) => {
    const { page: _page, ...rest } = search;
    void navigate({ search: auditSearch({ ...rest, ...change }) });
  };
  return (
    <Page title={t.audit.title} description={t.audit.description}>
      <Filters search={search} onFilter={filter} />
      {query.isError ? (
        <LoadProblem error={query.error} onRetry={() => void query.refetch()} />
      ) : query.data?.meta.total === 0 ? (
        <EmptyState icon={IconHistory} title={t.audit.emptyTitle}>
          {t.audit.empty}
        </EmptyState>
      ) : (
        <DataTable
          label={t.audit.title}
          columns={columns}
          rows={query.data?.data}
          keyOf={({ id }) => id}
          paging={
            query.data && {
              meta: query.data.meta,
              onPage: (page) => void navigate({ search: auditSearch({ ...search, page }) }),
            }
          }
        />
      )}
    </Page>
  );
}

interface FiltersProps {
  readonly search: AuditSearch;
  readonly onFilter: (change: Record<string, unknown>) => void;
}

const actions = Object.entries(t.audit.actions).map(([value, label]) => ({ value, label }));

const Filters = ({ search, onFilter }: FiltersProps): ReactNode => (
  <Group align="flex-end" gap="sm">
    <OrganizationChoice
      chosen={search.organization}
      onChoose={(organization) => onFilter({ organization })}
    />
    <Select
      label={t.audit.action}
      placeholder={t.audit.all}
      data={actions}
      value={search.action ?? null}
      onChange={(action) => onFilter({ action: action ?? '' })}
      searchable
      clearable
      clearButtonProps={{ 'aria-label': t.audit.all }}
      allowDeselect
    />
    <TextInput
      type="date"
      label={t.audit.since}
      value={search.since ?? ''}
      onChange={(event) => onFilter({ since: event.currentTarget.value })}
    />
    <TextInput
      type="date"
      label={t.audit.until}
      value={search.until ?? ''}
      onChange={(event) => onFilter({ until: event.currentTarget.value })}
    />
  </Group>
);

const columns: readonly Column<AuditEntry>[] = [
  { key: 'at', header: t.audit.at, cell: ({ at }) => formatTime(at) },
  {
    key: 'who',
    header: t.audit.who,
    wide: true,
    cell: ({ user_email, via, token_id }) => (
      <>
        {user_email ?? t.audit.vias[via]}
        <Text size="xs" c="dimmed">
          {token_id === null ? t.audit.vias[via] : t.audit.byToken(token_id)}
        </Text>
      </>
    ),
  },
  {
    key: 'what',
    header: t.audit.what,
    names: true,
    cell: (entry) => (
      <>
        {t.audit.actions[entry.action]}
        <Text size="sm" c="dimmed" fw={400}>
          <Subject entry={entry} />
        </Text>
      </>
    ),
  },
  { key: 'detail', header: t.audit.detail, wide: true, cell: ({ detail }) => <Detail detail={detail} /> },
];

/** What was changed, and the app it belongs to. */
const Subject = ({ entry: { app, subject_id } }: { entry: AuditEntry }): ReactNode => (
  <>
    {subject_id}
    {app !== null && app !== subject_id && (
      <>
        {' · '}
        <Anchor renderRoot={(props) => <Link to="/apps/$app" params={{ app }} {...props} />}>{app}</Anchor>
      </>
    )}
  </>
);

const MOST_SHOWN = 160;

/** Few and short values, as the log keeps them. */
function Detail({ detail }: { detail: AuditEntry['detail'] }): ReactNode {
  const words = Object.entries(detail).map(([key, value]) => `${key}: ${wordOf(value)}`);
  const text = words.join(', ');
  if (text === '') return null;
  return <Code>{text.length > MOST_SHOWN ? `${text.slice(0, MOST_SHOWN)} …` : text}</Code>;
}

const wordOf = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value));
