import { Button, Group, NativeSelect } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { ForRole } from '../data/account/for-role.tsx';
import { useApp } from '../data/apps/use-app.ts';
import { campaignsQuery } from '../data/campaigns/queries.ts';
import { type CampaignsSearch, readSearch } from '../data/campaigns/search.ts';
import { kinds, statuses } from '../data/campaigns/status.ts';
import { useApi } from '../data/http/services.tsx';
import { t } from '../texts/t.ts';
import { ChosenTable } from '../ui/chosen-table.tsx';
import { EmptyState } from '../ui/empty-state.tsx';
import { IconSpeakerphone } from '../ui/icons.ts';
import { LoadProblem } from '../ui/loading.tsx';
import { Page } from '../ui/page.tsx';
import { PhoneFilters } from '../ui/phone-filters.tsx';
import { columnsOf } from './columns.tsx';

const words = t.campaigns;

export function CampaignsPage(): ReactNode {
  const { identifier } = useApp();
  const search = useSearch({ from: '/in/apps/$app/campaigns' });
  const navigate = useNavigate({ from: '/apps/$app/campaigns' });
  const query = useQuery(campaignsQuery(useApi(), identifier, search));
  const filtered = search.status !== undefined || search.kind !== undefined;
  const nothing = query.data?.meta.total === 0;
  const empty = nothing && !filtered;
  const change = (filter: Filter) =>
    void navigate({ search: (old) => readSearch({ ...old, page: 1, ...filter }), replace: true });
  return (
    <Page
      title={t.nav.campaigns}
      description={words.description}
      actions={!empty && <Buttons app={identifier} />}
    >
      {query.isError ? (
        <LoadProblem error={query.error} onRetry={() => void query.refetch()} />
      ) : empty ? (
        <EmptyState icon={IconSpeakerphone} title={words.emptyTitle} action={<Buttons app={identifier} />}>
          {words.empty}
        </EmptyState>
      ) : (
        <>
          <Filters search={search} onChange={change} />
          {nothing ? (
            <EmptyState
              icon={IconSpeakerphone}
              title={t.deliveries.noneTitle}
              action={
                <Button variant="default" onClick={() => void navigate({ search: {}, replace: true })}>
                  {t.deliveries.clear}
                </Button>
              }
            >
              {words.none}
            </EmptyState>
          ) : (
            <ChosenTable
              keptAs="campaigns"
              label={t.nav.campaigns}
              columns={columnsOf(identifier)}
              rows={query.data?.data}
              keyOf={({ id }) => id}
              paging={query.data && { meta: query.data.meta, onPage: (page) => change({ page }) }}
            />
          )}
        </>
      )}
    </Page>
  );
}

/** Undefined takes the filter away. */
type Filter = { readonly [Key in keyof CampaignsSearch]?: CampaignsSearch[Key] | undefined };

interface FiltersProps {
  readonly search: CampaignsSearch;
  readonly onChange: (change: Filter) => void;
}

const Filters = ({ search, onChange }: FiltersProps): ReactNode => (
  <PhoneFilters active={[search.status, search.kind].filter((each) => each !== undefined).length}>
    <NativeSelect
      flex="1 1 8rem"
      maw="16rem"
      label={words.status}
      value={search.status ?? ''}
      onChange={({ currentTarget: { value } }) =>
        onChange({ status: statuses.find((each) => each === value) })
      }
      data={[
        { value: '', label: t.deliveries.anyStatus },
        ...statuses.map((value) => ({ value, label: words.statuses[value] })),
      ]}
    />
    <NativeSelect
      flex="1 1 8rem"
      maw="16rem"
      label={words.kind}
      value={search.kind ?? ''}
      onChange={({ currentTarget: { value } }) => onChange({ kind: kinds.find((each) => each === value) })}
      data={[
        { value: '', label: t.deliveries.anyStatus },
        ...kinds.map((value) => ({ value, label: words.kinds[value] })),
      ]}
    />
  </PhoneFilters>
);

const Buttons = ({ app }: { app: string }): ReactNode => (
  <Group gap="xs">
    <ForRole least="approver">
      <Button
        variant="default"
        renderRoot={(props) => <Link to="/apps/$app/feeds/new" params={{ app }} {...props} />}
      >
        {t.feeds.newTitle}
      </Button>
    </ForRole>
    <ForRole least="author">
      <Button renderRoot={(props) => <Link to="/apps/$app/compose" params={{ app }} {...props} />}>
        {t.deliveries.compose}
      </Button>
    </ForRole>
  </Group>
);
