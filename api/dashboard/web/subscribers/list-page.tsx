import { Anchor, Badge, Button, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useApp } from '../data/apps/use-app.ts';
import { useApi } from '../data/http/services.tsx';
import { type Subscriber, subscribersQuery } from '../data/subscribers/queries.ts';
import { type FiltersProps, filtersIn, sorts } from '../data/subscribers/search.ts';
import { countryName } from '../format/countries.ts';
import { formatAgo, formatDay, formatNumber, formatShare } from '../format/format.ts';
import { t } from '../texts/t.ts';
import { ChosenTable } from '../ui/chosen-table.tsx';
import type { Column } from '../ui/data-table.tsx';
import { EmptyState } from '../ui/empty-state.tsx';
import { IconUsers } from '../ui/icons.ts';
import { LoadProblem } from '../ui/loading.tsx';
import { Page } from '../ui/page.tsx';
import { Filters } from './filters.tsx';

const words = t.subscribers;

const columnsOf = (app: string): readonly Column<Subscriber>[] => [
  {
    key: 'name',
    header: words.name,
    names: true,
    cell: ({ id, user_identity, status }) => (
      <>
        <Anchor
          renderRoot={(props) => (
            <Link
              to="/apps/$app/subscribers/$subscriber"
              params={{ app, subscriber: String(id) }}
              aria-label={words.nameOf(id)}
              {...props}
            />
          )}
        >
          {id}
        </Anchor>{' '}
        {status === 'unsubscribed' && <Badge color="gray">{words.statuses.unsubscribed}</Badge>}
        {user_identity !== null && (
          <Text size="xs" c="dimmed" truncate maw="16rem">
            {user_identity}
          </Text>
        )}
      </>
    ),
  },
  { key: 'browser', header: words.where, cell: browserOf },
  {
    key: 'country',
    header: words.country,
    cell: ({ country }) => (country === null ? words.unknown : countryName(country)),
  },
  { key: 'tags', header: words.tags, cell: ({ tags }) => <Tags tags={tags} /> },
  {
    key: 'sent',
    header: words.sent,
    sort: 'notifications_sent',
    numeric: true,
    cell: ({ notifications_sent }) => formatNumber(notifications_sent),
  },
  {
    key: 'rate',
    header: words.clickRate,
    numeric: true,
    cell: (row) => formatShare(row.notifications_clicked, row.notifications_sent),
  },
  {
    key: 'clicked',
    header: t.subscriber.lastClicked,
    sort: 'last_clicked_at',
    cell: (row) => formatAgo(row.last_clicked_at),
  },
  {
    key: 'seen',
    header: words.lastSeen,
    sort: 'last_seen_at',
    cell: ({ last_seen_at }) => formatAgo(last_seen_at),
  },
  {
    key: 'created',
    header: words.created,
    sort: 'created_at',
    cell: ({ created_at }) => formatDay(created_at),
  },
];

/** `Chrome on Android`, as far as it is known. */
export function browserOf({ browser_name: browser, os_name: system }: Subscriber): string {
  if (browser === null || system === null) return browser ?? system ?? words.unknown;
  return words.onSystem(browser, system);
}

const SHOWN_TAGS = 2;

function Tags({ tags }: { tags: Subscriber['tags'] }): ReactNode {
  const all = Object.entries(tags);
  const more = all.length - SHOWN_TAGS;
  return (
    <>
      {all.slice(0, SHOWN_TAGS).map(([key, value]) => (
        <Badge key={key} color="gray" mr={4} maw="12rem">
          {key}: {value}
        </Badge>
      ))}
      {more > 0 && <Text span size="xs" c="dimmed">{`+${more}`}</Text>}
    </>
  );
}

export function SubscribersPage(): ReactNode {
  const { identifier: app } = useApp();
  const search = useSearch({ from: '/in/apps/$app/subscribers' });
  const navigate = useNavigate({ from: '/apps/$app/subscribers' });
  const query = useQuery(subscribersQuery(useApi(), app, search));
  const change: FiltersProps['onChange'] = (changes) => {
    const { page: _page, ...kept } = search;
    const next = Object.entries({ ...kept, ...changes }).filter(([, value]) => value !== undefined);
    void navigate({ search: Object.fromEntries(next), replace: true });
  };
  const none = query.data?.meta.total === 0;
  if (none && filtersIn(search) === 0) return <NobodyYet app={app} />;
  return (
    <Page title={t.nav.subscribers} description={words.description}>
      <Filters
        search={search}
        onChange={change}
        onClear={() => void navigate({ search: {}, replace: true })}
      />
      {query.isError ? (
        <LoadProblem error={query.error} onRetry={() => void query.refetch()} />
      ) : none ? (
        <EmptyState icon={IconUsers} title={words.noneTitle}>
          {words.none}
        </EmptyState>
      ) : (
        <ChosenTable
          keptAs="subscribers"
          label={words.list}
          columns={columnsOf(app)}
          rows={query.data?.data}
          sorting={{
            by: search.sort ?? 'created_at',
            ascending: search.direction === 'asc',
            onSort: (by, ascending) => {
              const sort = sorts.find((each) => each === by && each !== 'created_at');
              change({ sort, direction: ascending ? 'asc' : undefined });
            },
          }}
          keyOf={({ id }) => id}
          paging={
            query.data && {
              meta: query.data.meta,
              onPage: (page) => {
                const { page: _page, ...kept } = search;
                void navigate({ search: page > 1 ? { ...kept, page } : kept });
              },
            }
          }
        />
      )}
      {query.data !== undefined && !none && query.data.meta.last_page === 1 && (
        <Text size="sm" c="dimmed" role="status">
          {t.subscribers.total(query.data.meta.total)}
        </Text>
      )}
    </Page>
  );
}

const NobodyYet = ({ app }: { app: string }): ReactNode => (
  <Page title={t.nav.subscribers} description={words.description}>
    <EmptyState
      icon={IconUsers}
      title={words.emptyTitle}
      action={
        <Button renderRoot={(props) => <Link to="/apps/$app/integration" params={{ app }} {...props} />}>
          {words.emptyAction}
        </Button>
      }
    >
      {words.empty}
    </EmptyState>
  </Page>
);
