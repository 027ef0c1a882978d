import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { shortDay } from '../charts/axes.ts';
import { Bars } from '../charts/bars.tsx';
import { ChartCard } from '../charts/chart-card.tsx';
import { measureColor } from '../charts/colors.ts';
import { TimeChart } from '../charts/time-chart.tsx';
import { countUnit, percentUnit } from '../charts/units.ts';
import { today } from '../data/analytics/period.ts';
import type { Engagement } from '../data/analytics/queries.ts';
import { formatDay, formatNumber, formatShare } from '../format/format.ts';
import { t } from '../texts/t.ts';

const words = t.analytics;

interface Props {
  readonly app: string;
  readonly engagement: Engagement;
}

const counted = (name: string, label: string) => ({ name, label, axis: label, unit: countUnit });

/** Sent per day, and below it the clicks: few of many sent notifications are clicked. */
export function EngagementChart({ app, engagement: { engagement_by_day: days } }: Props): ReactNode {
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
          {
            header: t.subscribers.clickRate,
            format: (_, line) => formatShare(days[line]?.total_clicks ?? 0, days[line]?.total_sent ?? 0),
          },
        ],
        rows: days.map((day) => [day.date, day.total_sent, day.total_clicks, day.avg_click_rate]),
        lead: (line, text) => {
          const { date } = days[line] ?? { date: '' };
          return (
            <Link to="/apps/$app/deliveries" params={{ app }} search={{ from: date, to: date }}>
              {text}
            </Link>
          );
        },
      }}
    >
      <TimeChart
        height={320}
        time={t.charts.dayUtc}
        points={days.map((day) => ({
          at: shortDay(day.date),
          isUnfinished: day.date === today(),
          sent: day.total_sent,
          // Of the deliveries of that day: a day without any has none to count.
          clicks: day.total_sent === 0 ? null : day.total_clicks,
        }))}
        series={[
          { ...counted('sent', words.sent), color: measureColor.accepted, type: 'bar' },
          { ...counted('clicks', words.clicks), color: measureColor.clicks, type: 'line' },
        ]}
      />
    </ChartCard>
  );
}

const rateOf = (delivery: Engagement['top_performing_deliveries'][number] | undefined): string =>
  formatShare(delivery?.click_count ?? 0, delivery?.success_count ?? 0);

export function BestDeliveriesChart({
  app,
  engagement: { top_performing_deliveries: top },
}: Props): ReactNode {
  // One that was just sent, and that nobody has clicked yet, is not among the best.
  const best = top.filter(({ click_count }) => click_count > 0);
  return (
    <ChartCard
      title={words.best}
      description={words.bestAbout}
      file="best-deliveries"
      empty={best.length === 0 && words.bestEmpty}
      table={{
        columns: [
          { header: words.delivery },
          { header: t.subscribers.clickRate, format: (_, line) => rateOf(best[line]) },
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
        lead: (line, text) => (
          <Link to="/apps/$app/deliveries/$delivery" params={{ app, delivery: String(best[line]?.id) }}>
            {text}
          </Link>
        ),
      }}
    >
      <Bars
        label={t.subscribers.clickRate}
        color={measureColor.clicks}
        rows={best.map((each) => ({ name: each.title, value: each.click_rate, says: rateOf(each) }))}
        unit={percentUnit}
        names={150}
      />
    </ChartCard>
  );
}
