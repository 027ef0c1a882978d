import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { type AnalyticsSearch, rangeOf } from '../data/analytics/period.ts';
import { type Currency, overviewQuery } from '../data/analytics/queries.ts';
import { useApp } from '../data/apps/use-app.ts';
import { useApi } from '../data/http/services.tsx';
import { t } from '../texts/t.ts';
import { EmptyState } from '../ui/empty-state.tsx';
import { IconChartLine } from '../ui/icons.ts';
import { Loaded } from '../ui/loading.tsx';
import { Page } from '../ui/page.tsx';
import { Charts } from './charts.tsx';
import { PeriodControl } from './period-control.tsx';
import { FiguresSoon, PeriodFigures } from './period-figures.tsx';

const words = t.analytics;

export function AnalyticsPage(): ReactNode {
  const { identifier: app, subscriber_count: subscribers } = useApp();
  const search = useSearch({ from: '/in/apps/$app/analytics' });
  const navigate = useNavigate({ from: '/apps/$app/analytics' });
  const range = rangeOf(search);
  const change = (next: AnalyticsSearch): void =>
    void navigate({ search: next, replace: true, resetScroll: false });
  const changeCurrency = (currency: Currency): void => {
    const { currency: _, ...rest } = search;
    change(currency === 'USD' ? { ...rest, currency } : rest);
  };
  const overview = useQuery(overviewQuery(useApi(), app));
  const isEmpty = subscribers === 0 && overview.data?.total_deliveries === 0;
  return (
    <Page
      title={t.nav.analytics}
      description={words.description}
      actions={!isEmpty && <PeriodControl search={search} onChange={change} />}
    >
      {isEmpty ? (
        <Empty app={app} />
      ) : (
        <>
          <Loaded query={overview} placeholder={<FiguresSoon />}>
            {(data) => (
              <PeriodFigures
                app={app}
                range={range}
                compare={search.compare}
                activeSubscribers={data.active_subscribers}
              />
            )}
          </Loaded>
          <Charts
            app={app}
            range={range}
            compare={search.compare}
            currency={search.currency ?? 'EUR'}
            overview={overview.data}
            onCurrency={changeCurrency}
          />
        </>
      )}
    </Page>
  );
}

const Empty = ({ app }: { app: string }): ReactNode => (
  <EmptyState
    icon={IconChartLine}
    title={words.emptyTitle}
    action={
      <Button renderRoot={(props) => <Link to="/apps/$app/integration" params={{ app }} {...props} />}>
        {words.emptyAction}
      </Button>
    }
  >
    {words.empty}
  </EmptyState>
);
