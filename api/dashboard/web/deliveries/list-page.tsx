import { Button, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { ForRole } from '../data/account/for-role.tsx';
import { useApp } from '../data/apps/use-app.ts';
import { deliveriesQuery } from '../data/deliveries/queries.ts';
import { filtersIn, readSearch, sorts } from '../data/deliveries/search.ts';
import { useApi } from '../data/http/services.tsx';
import { LineName, useLines } from '../parts/line-name.tsx';
import { t } from '../texts/t.ts';
import { ChosenTable } from '../ui/chosen-table.tsx';
import { EmptyState } from '../ui/empty-state.tsx';
import { IconSend } from '../ui/icons.ts';
import { LoadProblem } from '../ui/loading.tsx';
import { Page } from '../ui/page.tsx';
import { columnsOf } from './columns.tsx';
import { ExportButton } from './export-button.tsx';
import { type Filter, Filters } from './filters.tsx';

const words = t.deliveries;

export function DeliveriesPage(): ReactNode {
  const { identifier } = useApp();
  const search = readSearch({ ...useSearch({ from: '/in/apps/$app/deliveries' }) });
  const navigate = useNavigate({ from: '/apps/$app/deliveries' });
  const query = useQuery(deliveriesQuery(useApi(), identifier, search));
  const { lines, ...folding } = useLines(query.data?.data);
  const filtered = filtersIn(search) > 0;
  const nothing = query.data?.meta.total === 0;
  const empty = nothing && !filtered;
  const change = (filter: Filter) =>
    void navigate({ search: (old) => readSearch({ ...old, page: 1, ...filter }), replace: true });
  return (
    <Page
      title={t.nav.deliveries}
      description={words.description}
      actions={
        !empty && (
          <ForRole least="author">
            <ComposeButton app={identifier} />
          </ForRole>
        )
      }
    >
      {query.isError ? (
        <LoadProblem error={query.error} onRetry={() => void query.refetch()} />
      ) : empty ? (
        <EmptyState icon={IconSend} title={words.emptyTitle} action={<ComposeButton app={identifier} />}>
          {words.empty}
        </EmptyState>
      ) : (
        <>
          <Filters search={search} onChange={change} />
          {nothing ? (
            <EmptyState
              icon={IconSend}
              title={words.noneTitle}
              action={
                <Button variant="default" onClick={() => void navigate({ search: {}, replace: true })}>
                  {words.clear}
                </Button>
              }
            >
              {words.none}
            </EmptyState>
          ) : (
            <ChosenTable
              keptAs="deliveries"
              label={words.list}
              columns={columnsOf((line) => (
                <LineName app={identifier} line={line} {...folding}>
                  {line.variants.length === 0 && line.delivery.name !== line.delivery.title && (
                    <Text size="xs" c="dimmed">
                      {line.delivery.name}
                    </Text>
                  )}
                </LineName>
              ))}
              rows={lines}
              keyOf={({ key }) => key}
              beside={<ExportButton app={identifier} search={search} />}
              sorting={{
                by: search.sort ?? 'created_at',
                ascending: search.direction === 'asc',
                onSort: (by, ascending) =>
                  change({
                    sort: sorts.find((each) => each === by),
                    direction: ascending ? 'asc' : undefined,
                  }),
              }}
              paging={query.data && { meta: query.data.meta, onPage: (page) => change({ page }) }}
            />
          )}
        </>
      )}
    </Page>
  );
}

const ComposeButton = ({ app }: { app: string }): ReactNode => (
  <Button renderRoot={(props) => <Link to="/apps/$app/compose" params={{ app }} {...props} />}>
    {words.compose}
  </Button>
);
