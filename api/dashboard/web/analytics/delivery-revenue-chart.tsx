import { NumberInput, Stack, Text } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import { Bars } from '../charts/bars.tsx';
import { ChartCard } from '../charts/chart-card.tsx';
import { ChartSoon } from '../charts/chart-soon.tsx';
import { measureColor } from '../charts/colors.ts';
import { moneyUnit } from '../charts/units.ts';
import type { Range } from '../data/analytics/period.ts';
import { type Currency, type DeliveryRevenue, deliveryRevenueQuery } from '../data/analytics/queries.ts';
import { useApi } from '../data/http/services.tsx';
import { formatMoney, formatNumber } from '../format/format.ts';
import { t } from '../texts/t.ts';
import { Loaded } from '../ui/loading.tsx';

const words = t.analytics.deliveryRevenue;
const MOST_BARS = 10;
const PAUSE_MS = 500;

interface Props {
  readonly app: string;
  readonly range: Range;
  readonly currency: Currency;
}

/** Which deliveries earned most. */
export function DeliveryRevenueChart({ app, range, currency }: Props): ReactNode {
  const [perVisit, setPerVisit] = useState<number | null>(null);
  const [asked] = useDebouncedValue(perVisit, PAUSE_MS);
  const query = useQuery(deliveryRevenueQuery(useApi(), app, range, { currency, perVisit: asked }));
  return (
    <Loaded query={query} placeholder={<ChartSoon />}>
      {(data) =>
        data.meta.granted && (
          <Stack gap="sm">
            <NumberInput
              label={words.perVisit}
              description={words.perVisitAbout}
              value={perVisit ?? ''}
              onChange={(value) => setPerVisit(typeof value === 'number' ? value : null)}
              min={1}
              max={1_000}
              clampBehavior="strict"
              allowDecimal={false}
              maw="24rem"
            />
            <Chart app={app} revenue={data} />
          </Stack>
        )
      }
    </Loaded>
  );
}

function Chart({ app, revenue }: { app: string; revenue: DeliveryRevenue }): ReactNode {
  const { deliveries, others, unassigned, meta } = revenue;
  const money = (value: number): string => formatMoney(value, meta.currency);
  const bars = deliveries.slice(0, MOST_BARS).filter(({ earnings }) => earnings > 0);
  const rest = [
    ...(others.deliveries === 0
      ? []
      : [words.others(formatNumber(others.deliveries), money(others.earnings))]),
    words.unassigned(money(unassigned.earnings)),
  ];
  return (
    <>
      <ChartCard
        title={words.title}
        description={words.about(meta.site)}
        file="delivery-revenue"
        empty={deliveries.length === 0 && words.empty}
        table={{
          columns: [
            { header: t.analytics.delivery },
            { header: t.analytics.earnings, format: money },
            { header: words.grain },
            { header: words.visits, format: formatNumber },
            { header: t.analytics.impressions, format: formatNumber },
          ],
          rows: deliveries.map((each) => [
            each.title,
            each.earnings,
            grainOf(each),
            each.visits,
            each.impressions,
          ]),
          lead: (line, text) => (
            <Link
              to="/apps/$app/deliveries/$delivery"
              params={{ app, delivery: String(deliveries[line]?.id) }}
            >
              {text}
            </Link>
          ),
        }}
      >
        <Bars
          label={t.analytics.earnings}
          color={measureColor.earnings}
          rows={bars.map((each) => ({
            name: each.title,
            value: each.earnings,
            says: `${money(each.earnings)} · ${grainOf(each)}`,
          }))}
          unit={moneyUnit(meta.currency)}
          names={150}
        />
      </ChartCard>
      {deliveries.length > 0 && (
        <Text size="sm" c="dimmed">
          {rest.join(' ')}
        </Text>
      )}
    </>
  );
}

const grainOf = ({ grain, leads_to_site }: DeliveryRevenue['deliveries'][number]): string =>
  leads_to_site ? words.grains[grain ?? 'none'] : words.elsewhere;
