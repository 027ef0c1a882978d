import { CompositeChart } from '@mantine/charts';
import { Code, NativeSelect, Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { numberAxis, shortDay } from '../charts/axes.ts';
import { ChartCard } from '../charts/chart-card.tsx';
import { seriesColor } from '../charts/colors.ts';
import { Figures } from '../shell/figures.tsx';
import { formatMoney, formatNumber, formatTime } from '../shell/format.ts';
import { Section } from '../shell/section.tsx';
import { t } from '../texts/t.ts';
import type { Currency, Revenue } from './queries.ts';

const words = t.analytics;

export interface RevenueChartProps {
  readonly revenue: Revenue;
  readonly currency: Currency;
  readonly onCurrency: (currency: Currency) => void;
}

/** What the site earned beside what its notifications were clicked. */
export function RevenueChart({ revenue, currency, onCurrency }: RevenueChartProps): ReactNode {
  const { meta, totals } = revenue;
  if (!meta.granted) {
    return (
      <Section title={words.revenue}>
        <Text size="sm">
          {words.revenueNotGranted} <Code>broadside revenue grant</Code>
        </Text>
      </Section>
    );
  }
  const money = (value: number): string => formatMoney(value, meta.currency);
  return (
    <Stack gap="sm">
      <NativeSelect
        label={words.currency}
        value={currency}
        onChange={(event) => onCurrency(event.currentTarget.value === 'USD' ? 'USD' : 'EUR')}
        data={['EUR', 'USD']}
        w="8rem"
      />
      <Figures
        label={words.revenueTotals}
        figures={[
          { label: words.earnings, value: money(totals.earnings) },
          { label: words.clicks, value: formatNumber(totals.clicks) },
          { label: words.impressions, value: formatNumber(totals.impressions) },
          { label: words.ecpm, value: money(totals.ecpm) },
        ]}
      />
      <Chart revenue={revenue} money={money} />
      <Notes meta={meta} />
    </Stack>
  );
}

function Chart({ revenue, money }: { revenue: Revenue; money: (value: number) => string }): ReactNode {
  const { revenue_by_day: days, totals, meta } = revenue;
  return (
    <ChartCard
      title={words.revenue}
      description={words.revenueAbout(meta.site)}
      file="revenue"
      empty={totals.earnings === 0 && totals.clicks === 0 && words.revenueEmpty}
      table={{
        columns: [
          { header: t.charts.day },
          { header: words.earnings, format: money },
          { header: words.clicks, format: formatNumber },
          { header: words.impressions, format: formatNumber },
          { header: words.ecpm, format: money },
        ],
        rows: days.map((day) => [day.date, day.earnings, day.clicks, day.impressions, day.ecpm]),
      }}
    >
      <CompositeChart
        h={280}
        data={days.map((day) => ({ day: shortDay(day.date), earnings: day.earnings, clicks: day.clicks }))}
        dataKey="day"
        series={[
          { name: 'clicks', label: words.clicks, color: seriesColor(0), type: 'bar', yAxisId: 'right' },
          { name: 'earnings', label: words.earningsIn(meta.currency), color: seriesColor(1), type: 'line' },
        ]}
        valueFormatter={formatNumber}
        withLegend
        curveType="linear"
        withRightYAxis
        yAxisProps={{ ...numberAxis, allowDecimals: true }}
        rightYAxisProps={numberAxis}
        withDots={days.length <= 31}
        maxBarWidth={28}
        composedChartProps={{ accessibilityLayer: false }}
        barProps={{ isAnimationActive: false }}
        lineProps={{ isAnimationActive: false }}
      />
    </ChartCard>
  );
}

/** What one must know of the figures before one reports them. */
const Notes = ({ meta }: { meta: Revenue['meta'] }): ReactNode => (
  <Text size="sm" c="dimmed">
    {[
      ...(meta.watermark === null ? [] : [words.completeUntil(formatTime(meta.watermark))]),
      ...(meta.restated ? [words.restated] : []),
      ...(meta.rates.length === 0
        ? []
        : [words.rates([...new Set(meta.rates.map(({ source }) => source))].join(', '))]),
      ...(meta.left_out.length === 0
        ? []
        : [words.leftOut(meta.left_out.map(({ currency }) => currency).join(', '))]),
    ].join(' ')}
  </Text>
);
