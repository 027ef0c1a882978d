import { Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { shortDay } from '../charts/axes.ts';
import { Bars } from '../charts/bars.tsx';
import { seriesColor } from '../charts/colors.ts';
import { TimeChart } from '../charts/time-chart.tsx';
import { countUnit, moneyUnit } from '../charts/units.ts';
import { t } from '../texts/t.ts';
import { type ChartData, chartDataOf } from './chart-data.ts';
import { pivotChartOf } from './pivot-chart.ts';
import type { PivotView } from './pivot-view.ts';
import { isMoney, type Metric, shownMetric } from './report.ts';
import type { MadeReport, ReportAnswer } from './result.ts';

const words = t.reports;

interface ResultChartProps {
  readonly report: MadeReport;
  /** Null: it is a list. */
  readonly view: PivotView | null;
}

/** The report as a chart of the metric that is shown. The table below it holds the same for screen readers. */
export function ResultChart({ report, view }: ResultChartProps): ReactNode {
  const metric = shownMetric(report.draft);
  const data =
    metric === undefined ? null : view === null ? chartDataOf(report, metric) : pivotChartOf(view, report);
  if (metric === undefined || data === null) {
    return (
      <Text size="sm" c="dimmed">
        {words.chartAbout}
      </Text>
    );
  }
  return (
    <div aria-hidden="true" data-chart={data.kind === 'bars' ? data.rows.length : data.points.length}>
      <Drawn data={data} metric={metric} meta={report.answer.meta} />
    </div>
  );
}

interface DrawnProps {
  readonly data: ChartData;
  readonly metric: Metric;
  readonly meta: ReportAnswer['meta'];
}

function Drawn({ data, metric, meta }: DrawnProps): ReactNode {
  const unit = isMoney(metric) ? moneyUnit(meta.currency) : countUnit;
  const axis = isMoney(metric) ? `${words.fields[metric]} (${meta.currency})` : words.fields[metric];
  if (data.kind === 'bars') return <Bars label={axis} rows={data.rows} unit={unit} names={150} />;
  return (
    <TimeChart
      height={300}
      time={`${words.fields[data.time]} (${meta.timezone})`}
      points={data.points.map((point) => ({
        ...point,
        at: data.time === 'day' ? shortDay(point.at) : point.at,
      }))}
      series={data.series.map(({ key, name }, index) => ({
        name: key,
        label: name === metric ? words.fields[metric] : name,
        axis,
        color: seriesColor(index),
        unit,
        type: 'line',
      }))}
      withLegend={data.series.length > 1}
    />
  );
}
