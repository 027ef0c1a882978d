import { CompositeChart } from '@mantine/charts';
import type { ReactNode } from 'react';
import { numberAxis, shortDay } from '../charts/axes.ts';
import { Bars } from '../charts/bars.tsx';
import { ChartCard } from '../charts/chart-card.tsx';
import { seriesColor } from '../charts/colors.ts';
import { formatDay, formatNumber, formatPercent } from '../shell/format.ts';
import { t } from '../texts/t.ts';
import type { Engagement } from './queries.ts';

const words = t.analytics;

interface Props {
  readonly engagement: Engagement;
}

/** What went out each day, and what came back of it, on axes of their own: a click is one of many that were sent. */
export function EngagementChart({ engagement: { engagement_by_day: days } }: Props): ReactNode {
  const sent = days.reduce((sum, day) => sum + day.total_sent, 0);
  return (
    <ChartCard
      title={words.engagement}
      description={words.engagementAbout}
      file="engagement"
      empty={sent === 0 && words.engagementEmpty}
      table={{
        columns: [
          { header: t.charts.day },
          { header: words.sent, format: formatNumber },
          { header: words.clicks, format: formatNumber },
          { header: t.subscribers.clickRate, format: formatPercent },
        ],
        rows: days.map((day) => [day.date, day.total_sent, day.total_clicks, day.avg_click_rate]),
      }}
    >
      <CompositeChart
        h={280}
        data={days.map((day) => ({
          day: shortDay(day.date),
          sent: day.total_sent,
          clicks: day.total_clicks,
        }))}
        dataKey="day"
        series={[
          { name: 'sent', label: words.sent, color: seriesColor(0), type: 'bar' },
          { name: 'clicks', label: words.clicks, color: seriesColor(2), type: 'line', yAxisId: 'right' },
        ]}
        valueFormatter={formatNumber}
        withLegend
        curveType="linear"
        withRightYAxis
        yAxisProps={numberAxis}
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

export function BestDeliveriesChart({ engagement: { top_performing_deliveries: best } }: Props): ReactNode {
  return (
    <ChartCard
      title={words.best}
      description={words.bestAbout}
      file="best-deliveries"
      empty={best.length === 0 && words.bestEmpty}
      table={{
        columns: [
          { header: words.delivery },
          { header: t.subscribers.clickRate, format: formatPercent },
          { header: words.clicks, format: formatNumber },
          { header: words.sent, format: formatNumber },
          { header: words.completed },
        ],
        rows: best.map((each) => [
          each.title,
          each.click_rate,
          each.click_count,
          each.success_count,
          formatDay(each.completed_at),
        ]),
      }}
    >
      <Bars
        label={t.subscribers.clickRate}
        rows={best.map(({ title, click_rate }) => ({ name: title, value: click_rate }))}
        format={formatPercent}
        names={150}
      />
    </ChartCard>
  );
}
