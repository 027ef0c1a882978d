import '@mantine/charts/styles.css';
import { Button, SimpleGrid, Stack } from '@mantine/core';
import { IconChartLine } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useApp } from '../apps/use-app.ts';
import { useApi } from '../http/services.tsx';
import { EmptyState } from '../shell/empty-state.tsx';
import { Figures } from '../shell/figures.tsx';
import { formatNumber, formatPercent } from '../shell/format.ts';
import { Loaded } from '../shell/loading.tsx';
import { Page } from '../shell/page.tsx';
import { t } from '../texts/t.ts';
import { BrowsersChart, CountriesChart, DevicesChart } from './audience-charts.tsx';
import { BestDeliveriesChart, EngagementChart } from './engagement-charts.tsx';
import { FunnelChart } from './funnel-chart.tsx';
import { GrowthChart } from './growth-chart.tsx';
import { type AnalyticsSearch, DEFAULT_DAYS } from './period.ts';
import { PeriodControl } from './period-control.tsx';
import {
  engagementQuery,
  funnelQuery,
  growthQuery,
  type Overview,
  overviewQuery,
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
  const { days = DEFAULT_DAYS } = search;
  const change = (changes: { days?: number; currency?: 'USD' | undefined }): void => {
    const { days: next, currency } = { ...search, ...changes };
    const kept: AnalyticsSearch = {
      ...(next === undefined || next === DEFAULT_DAYS ? {} : { days: next }),
      ...(currency === undefined ? {} : { currency }),
    };
    void navigate({ search: kept, replace: true, resetScroll: false });
  };
  const overview = useQuery(overviewQuery(useApi(), app));
  const isEmpty = subscribers === 0 && overview.data?.total_deliveries === 0;
  return (
    <Page
      title={t.nav.analytics}
      description={words.description}
      actions={!isEmpty && <PeriodControl days={days} onChange={(next) => change({ days: next })} />}
    >
      {isEmpty ? (
        <Empty app={app} />
      ) : (
        <>
          <Loaded query={overview}>{(data) => <Numbers overview={data} />}</Loaded>
          <Charts
            app={app}
            days={days}
            currency={search.currency ?? 'EUR'}
            overview={overview.data}
            onCurrency={(currency) => change({ currency: currency === 'USD' ? currency : undefined })}
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

const Numbers = ({ overview }: { overview: Overview }): ReactNode => (
  <Figures
    label={words.figures}
    figures={[
      {
        label: words.totalSubscribers,
        value: formatNumber(overview.active_subscribers),
        note: words.ofAll(formatNumber(overview.total_subscribers)),
      },
      { label: words.deliveries, value: formatNumber(overview.total_deliveries), note: words.everSince },
      { label: words.clicks, value: formatNumber(overview.total_clicks), note: words.everSince },
      { label: words.clickRate, value: formatPercent(overview.avg_click_rate), note: words.everSince },
    ]}
  />
);

interface ChartsProps {
  readonly app: string;
  readonly days: number;
  readonly currency: 'EUR' | 'USD';
  readonly overview: Overview | undefined;
  readonly onCurrency: (currency: 'EUR' | 'USD') => void;
}

function Charts({ app, days, currency, overview, onCurrency }: ChartsProps): ReactNode {
  const api = useApi();
  const growth = useQuery(growthQuery(api, app, days));
  const engagement = useQuery(engagementQuery(api, app, days));
  const funnel = useQuery(funnelQuery(api, app, days));
  const services = useQuery(servicesQuery(api, app, days));
  const revenue = useQuery(revenueQuery(api, app, days, currency));
  return (
    <Stack gap="lg">
      <Loaded query={growth}>{(data) => <GrowthChart growth={data} />}</Loaded>
      <Loaded query={engagement}>{(data) => <EngagementChart engagement={data} />}</Loaded>
      <Loaded query={funnel}>{(data) => <FunnelChart funnel={data} />}</Loaded>
      <Loaded query={services}>{(data) => <ServicesChart services={data} />}</Loaded>
      {overview !== undefined && (
        <SimpleGrid cols={{ base: 1, md: 3 }}>
          <DevicesChart overview={overview} />
          <BrowsersChart overview={overview} />
          <CountriesChart overview={overview} />
        </SimpleGrid>
      )}
      {engagement.data !== undefined && <BestDeliveriesChart engagement={engagement.data} />}
      <Loaded query={revenue}>
        {(data) => <RevenueChart revenue={data} currency={currency} onCurrency={onCurrency} />}
      </Loaded>
    </Stack>
  );
}
