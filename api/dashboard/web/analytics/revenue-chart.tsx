import { Code, NativeSelect, Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { shortDay } from '../charts/axes.ts';
import { ChartCard } from '../charts/chart-card.tsx';
import { measureColor } from '../charts/colors.ts';
import { TimeChart } from '../charts/time-chart.tsx';
import { countUnit, moneyUnit } from '../charts/units.ts';
import { today } from '../data/analytics/period.ts';
import type { Currency, Revenue } from '../data/analytics/queries.ts';
import { formatMoney, formatNumber, formatUtcTime } from '../format/format.ts';
import { oldRatesText, rateSources } from '../format/rate-sources.ts';
import { t } from '../texts/t.ts';
import { Figures } from '../ui/figures.tsx';
import { Section } from '../ui/section.tsx';
import { changeNote } from './change.ts';

const words = t.analytics;

export interface RevenueChartProps {
  readonly revenue: Revenue;
  /** Totals of what the period is compared with; null: with nothing, undefined: not known yet. */
  readonly before: Revenue['totals'] | null | undefined;
  readonly currency: Currency;
  readonly onCurrency: (currency: Currency) => void;
}

/** The site's earnings beside the clicks on its notifications. */
export function RevenueChart({ revenue, before, currency, onCurrency }: RevenueChartProps): ReactNode {
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
  const note = (measure: keyof Revenue['totals']) =>
    before === null ? {} : { note: changeNote(totals[measure], before?.[measure]) };
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
          { label: words.earnings, value: money(totals.earnings), ...note('earnings') },
          { label: words.clicks, value: formatNumber(totals.clicks), ...note('clicks') },
          { label: words.impressions, value: formatNumber(totals.impressions), ...note('impressions') },
          { label: words.ecpm, value: money(totals.ecpm), ...note('ecpm') },
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
        rows: days.map((day) =>
          isTold(day, meta)
            ? [day.date, day.earnings, day.clicks, day.impressions, day.ecpm]
            : [day.date, NOT_TOLD, day.clicks, NOT_TOLD, NOT_TOLD],
        ),
      }}
    >
      <TimeChart
        height={320}
        time={t.charts.dayUtc}
        points={days.map((day) => ({
          at: shortDay(day.date),
          isUnfinished: day.date === today(),
          earnings: isTold(day, meta) ? day.earnings : null,
          clicks: day.clicks,
        }))}
        series={[
          {
            name: 'earnings',
            label: words.earnings,
            axis: words.earningsIn(meta.currency),
            color: measureColor.earnings,
            unit: moneyUnit(meta.currency),
            type: 'line',
          },
          {
            name: 'clicks',
            label: words.clicks,
            axis: words.clicks,
            color: measureColor.clicks,
            unit: countUnit,
            type: 'bar',
          },
        ]}
      />
    </ChartCard>
  );
}

const NOT_TOLD = '–';

/** Whether the ad servers have told what a day earned: a zero of a day that they have not told is none. */
const isTold = (
  { date, earnings, impressions }: Revenue['revenue_by_day'][number],
  { watermark }: Revenue['meta'],
): boolean =>
  earnings !== 0 || impressions !== 0 || (watermark !== null && Date.parse(watermark) > Date.parse(date));

/** Caveats of the figures. */
const Notes = ({ meta }: { meta: Revenue['meta'] }): ReactNode => (
  <Text size="sm" c="dimmed">
    {[
      ...oldRatesText(meta.old_rates),
      ...(meta.watermark === null ? [] : [words.completeUntil(formatUtcTime(meta.watermark))]),
      ...(meta.restated ? [words.restated] : []),
      ...(meta.rates.length === 0 ? [] : [words.rates(rateSources(meta.rates))]),
      ...(meta.left_out.length === 0
        ? []
        : [words.leftOut(meta.left_out.map(({ currency }) => currency).join(', '))]),
    ].join(' ')}
  </Text>
);
