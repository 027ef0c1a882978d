import { Anchor, Button, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { ForRole } from '../data/account/for-role.tsx';
import { type App, appsQuery } from '../data/apps/queries.ts';
import { useApi } from '../data/http/services.tsx';
import { formatDay, formatNumber } from '../format/format.ts';
import { toPage } from '../format/page-search.ts';
import { t } from '../texts/t.ts';
import { type Column, DataTable } from '../ui/data-table.tsx';
import { EmptyState } from '../ui/empty-state.tsx';
import { IconApps } from '../ui/icons.ts';
import { LoadProblem } from '../ui/loading.tsx';
import { Page } from '../ui/page.tsx';

const PER_PAGE = 25;

const columns: readonly Column<App>[] = [
  {
    key: 'name',
    header: t.apps.name,
    names: true,
    cell: ({ identifier, name, site_domain }) => (
      <>
        <Anchor renderRoot={(props) => <Link to="/apps/$app" params={{ app: identifier }} {...props} />}>
          {name}
        </Anchor>
        <Text size="sm" c="dimmed" fw={400}>
          {site_domain}
        </Text>
      </>
    ),
  },
  {
    key: 'active',
    header: t.apps.active,
    numeric: true,
    cell: ({ active_subscriber_count }) => formatNumber(active_subscriber_count),
  },
  { key: 'created', header: t.apps.created, cell: ({ created_at }) => formatDay(created_at) },
];

const NewAppButton = (): ReactNode => (
  <ForRole least="member">
    <Button renderRoot={(props) => <Link to="/apps/new" {...props} />}>{t.apps.create}</Button>
  </ForRole>
);

export function AppsPage(): ReactNode {
  const { page = 1 } = useSearch({ from: '/in/apps' });
  const navigate = useNavigate({ from: '/apps' });
  const query = useQuery(appsQuery(useApi(), page, PER_PAGE));
  const empty = query.data?.meta.total === 0;
  return (
    <Page title={t.apps.title} description={t.apps.description} actions={!empty && <NewAppButton />}>
      {query.isError ? (
        <LoadProblem error={query.error} onRetry={() => void query.refetch()} />
      ) : empty ? (
        <EmptyState icon={IconApps} title={t.apps.emptyTitle} action={<NewAppButton />}>
          {t.apps.empty}
        </EmptyState>
      ) : (
        <DataTable
          label={t.apps.list}
          columns={columns}
          rows={query.data?.data}
          keyOf={({ identifier }) => identifier}
          paging={
            query.data && {
              meta: query.data.meta,
              onPage: (to) => void navigate({ search: toPage(to) }),
            }
          }
        />
      )}
    </Page>
  );
}
