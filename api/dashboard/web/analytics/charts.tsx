import { SimpleGrid, Stack } from '@mantine/core';
import { type QueryKey, type UseQueryOptions, useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { ChartSoon } from '../charts/chart-soon.tsx';
import { type Comparison, type Range, rangeBefore } from '../data/analytics/period.ts';
import {
  type Currency,
  engagementQuery,
  funnelQuery,
  growthQuery,
  type Overview,
  reachabilityQuery,
  revenueQuery,
  servicesQuery,
} from '../data/analytics/queries.ts';
import { useApi } from '../data/http/services.tsx';
import { InTurn } from '../ui/in-turn.tsx';
import { Loaded } from '../ui/loading.tsx';
import { BrowsersChart, CountriesChart, DevicesChart } from './audience-charts.tsx';
import { DeliveryRevenueChart } from './delivery-revenue-chart.tsx';
import { BestDeliveriesChart, EngagementChart } from './engagement-charts.tsx';
import { FunnelChart } from './funnel-chart.tsx';
import { GrowthChart } from './growth-chart.tsx';
import { RevenueChart } from './revenue-chart.tsx';
import { ServicesChart } from './services-chart.tsx';

interface ChartsProps {
  readonly app: string;
  readonly range: Range;
  readonly compare: Comparison | undefined;
  readonly currency: Currency;
  readonly overview: Overview | undefined;
  readonly onCurrency: (currency: Currency) => void;
}

/** All charts of the page. Each asks for its own figures, and is drawn again for them alone. */
export function Charts(props: ChartsProps): ReactNode {
  const { app, range, overview } = props;
  const api = useApi();
  return (
    <Stack gap="lg">
      <InTurn>
        {[
          () => (
            <Charted query={growthQuery(api, app, range)}>{(data) => <GrowthChart growth={data} />}</Charted>
          ),
          () => (
            <Charted query={engagementQuery(api, app, range)}>
              {(data) => <EngagementChart app={app} engagement={data} />}
            </Charted>
          ),
          () => (
            <>
              <Charted query={funnelQuery(api, app, range)}>
                {(data) => <FunnelChart funnel={data} />}
              </Charted>
              <Charted query={servicesQuery(api, app, range)}>
                {(data) => <ServicesChart services={data} />}
              </Charted>
            </>
          ),
          () => (
            <>
              {overview !== undefined && <Audience app={app} overview={overview} />}
              <BestDeliveries app={app} range={range} />
              <RevenueOf {...props} />
              <DeliveryRevenueChart app={app} range={range} currency={props.currency} />
            </>
          ),
        ]}
      </InTurn>
    </Stack>
  );
}

interface ChartedProps<Data, Key extends QueryKey> {
  readonly query: UseQueryOptions<Data, Error, Data, Key>;
  readonly children: (data: Data) => ReactNode;
}

function Charted<Data, Key extends QueryKey>({ query, children }: ChartedProps<Data, Key>): ReactNode {
  return (
    <Loaded query={useQuery(query)} placeholder={<ChartSoon />}>
      {children}
    </Loaded>
  );
}

function Audience({ app, overview }: { app: string; overview: Overview }): ReactNode {
  const { data: reachability } = useQuery(reachabilityQuery(useApi(), app));
  return (
    <SimpleGrid cols={{ base: 1, md: 3 }}>
      <DevicesChart app={app} overview={overview} />
      <BrowsersChart app={app} overview={overview} reachability={reachability} />
      <CountriesChart app={app} overview={overview} />
    </SimpleGrid>
  );
}

function BestDeliveries({ app, range }: { app: string; range: Range }): ReactNode {
  const { data } = useQuery(engagementQuery(useApi(), app, range));
  return data !== undefined && <BestDeliveriesChart app={app} engagement={data} />;
}

function RevenueOf({ app, range, compare, currency, onCurrency }: ChartsProps): ReactNode {
  const api = useApi();
  const before = useQuery({
    ...revenueQuery(api, app, rangeBefore(range, compare ?? 'previous'), currency),
    enabled: compare !== undefined,
  });
  return (
    <Charted query={revenueQuery(api, app, range, currency)}>
      {(data) => (
        <RevenueChart
          revenue={data}
          before={compare === undefined ? null : before.data?.totals}
          currency={currency}
          onCurrency={onCurrency}
        />
      )}
    </Charted>
  );
}
