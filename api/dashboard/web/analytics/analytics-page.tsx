import { Button, SimpleGrid, Stack } from '@mantine/core';
import { IconChartLine } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useApp } from '../apps/use-app.ts';
import { ChartSoon } from '../charts/chart-soon.tsx';
import { useApi } from '../http/services.tsx';
import { EmptyState } from '../shell/empty-state.tsx';
import { Loaded } from '../shell/loading.tsx';
import { Page } from '../shell/page.tsx';
import { t } from '../texts/t.ts';
import { BrowsersChart, CountriesChart, DevicesChart } from './audience-charts.tsx';
import { BestDeliveriesChart, EngagementChart } from './engagement-charts.tsx';
import { FunnelChart } from './funnel-chart.tsx';
import { GrowthChart } from './growth-chart.tsx';
import { type AnalyticsSearch, type Comparison, type Range, rangeBefore, rangeOf } from './period.ts';
import { PeriodControl } from './period-control.tsx';
import { FiguresSoon, PeriodFigures } from './period-figures.tsx';
import {
  type Currency,
  engagementQuery,
  funnelQuery,
  growthQuery,
  type Overview,
  overviewQuery,
  reachabilityQuery,
  revenueQuery,
  servicesQuery,
} from './queries.ts';
import { RevenueChart } from './revenue-chart.tsx';
import { ServicesChart } from './services-chart.tsx';

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

interface ChartsProps {
  readonly app: string;
  readonly range: Range;
  readonly compare: Comparison | undefined;
  readonly currency: Currency;
  readonly overview: Overview | undefined;
  readonly onCurrency: (currency: Currency) => void;
}

function Charts({ app, range, compare, currency, overview, onCurrency }: ChartsProps): ReactNode {
  const api = useApi();
  const growth = useQuery(growthQuery(api, app, range));
  const engagement = useQuery(engagementQuery(api, app, range));
  const funnel = useQuery(funnelQuery(api, app, range));
  const { data: reachability } = useQuery(reachabilityQuery(api, app));
  const services = useQuery(servicesQuery(api, app, range));
  const revenue = useQuery(revenueQuery(api, app, range, currency));
  const before = rangeBefore(range, compare ?? 'previous');
  const revenueBefore = useQuery({
    ...revenueQuery(api, app, before, currency),
    enabled: compare !== undefined,
  });
  return (
    <Stack gap="lg">
      <Loaded query={growth} placeholder={<ChartSoon />}>
        {(data) => <GrowthChart growth={data} />}
      </Loaded>
      <Loaded query={engagement} placeholder={<ChartSoon />}>
        {(data) => <EngagementChart app={app} engagement={data} />}
      </Loaded>
      <Loaded query={funnel} placeholder={<ChartSoon />}>
        {(data) => <FunnelChart funnel={data} />}
      </Loaded>
      <Loaded query={services} placeholder={<ChartSoon />}>
        {(data) => <ServicesChart services={data} />}
      </Loaded>
      {overview !== undefined && (
        <SimpleGrid cols={{ base: 1, md: 3 }}>
          <DevicesChart app={app} overview={overview} />
          <BrowsersChart app={app} overview={overview} reachability={reachability} />
          <CountriesChart app={app} overview={overview} />
        </SimpleGrid>
      )}
      {engagement.data !== undefined && <BestDeliveriesChart app={app} engagement={engagement.data} />}
      <Loaded query={revenue} placeholder={<ChartSoon />}>
        {(data) => (
          <RevenueChart
            revenue={data}
            before={compare === undefined ? null : revenueBefore.data?.totals}
            currency={currency}
            onCurrency={onCurrency}
          />
        )}
      </Loaded>
    </Stack>
  );
}
