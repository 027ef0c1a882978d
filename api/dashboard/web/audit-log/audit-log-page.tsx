import { Anchor, Select, Text, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useApi } from '../data/http/services.tsx';
import { type AuditEntry, auditQuery } from '../data/organization/queries.ts';
import { type AuditSearch, auditSearch } from '../data/organization/search.ts';
import { formatTime } from '../format/format.ts';
import { OrganizationChoice } from '../parts/organization-choice.tsx';
import { t } from '../texts/t.ts';
import { type Column, DataTable } from '../ui/data-table.tsx';
import { EmptyState } from '../ui/empty-state.tsx';
import { IconHistory } from '../ui/icons.ts';
import { LoadProblem } from '../ui/loading.tsx';
import { Page } from '../ui/page.tsx';
import { PhoneFilters } from '../ui/phone-filters.tsx';
import classes from './audit-log-page.module.css';

/** The changes and their authors, newest first. */
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
  <PhoneFilters active={activeIn(search)}>
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
  </PhoneFilters>
);

const activeIn = ({ organization, action, since, until }: AuditSearch): number =>
  [organization, action, since, until].filter((each) => each !== undefined).length;

const columns: readonly Column<AuditEntry>[] = [
  {
    key: 'at',
    header: t.audit.at,
    cell: ({ at }) => <span className={classes.time}>{formatTime(at)}</span>,
  },
  {
    key: 'what',
    header: t.audit.what,
    names: true,
    cell: (entry) => (
      <>
        <Text span inherit fw={400} className={classes.words}>
          <strong>{whoOf(entry)}</strong> {didOf(entry)}
        </Text>
        <Text size="xs" c="dimmed" fw={400}>
          <Where entry={entry} />
        </Text>
      </>
    ),
  },
];

const whoOf = ({ user_email: email, via }: AuditEntry): string =>
  email ?? (via === 'command' || via === 'service' ? t.audit.vias[via] : t.audit.unknownUser);

/** What was done, in words; an action that the texts do not know yet by its name. */
function didOf({ action, detail, subject_id: subject }: AuditEntry): string {
  const of = (key: string): string => wordsOf(detail[key]);
  return t.audit.did[action]?.(of, String(subject ?? '')) ?? t.audit.actions[action];
}

/** `['site_domain', 'name']` → `site domain, name`. */
function wordsOf(value: unknown): string {
  if (value === null || value === undefined) return '';
  if (Array.isArray(value)) return value.map((each) => wordsOf(each).replaceAll('_', ' ')).join(', ');
  if (typeof value === 'object')
    return Object.entries(value)
      .map(([key, each]) => `${key} ${wordsOf(each)}`.trim())
      .join(', ');
  return String(value);
}

/** How it was done, and in which app. */
const Where = ({ entry: { app, via, token_id } }: { entry: AuditEntry }): ReactNode => (
  <>
    {token_id === null ? t.audit.vias[via] : t.audit.byToken(token_id)}
    {app !== null && (
      <>
        {' · '}
        <Anchor renderRoot={(props) => <Link to="/apps/$app" params={{ app }} {...props} />}>{app}</Anchor>
      </>
    )}
  </>
);
