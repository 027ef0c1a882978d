import { NativeSelect, Stack, Text } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { shortDay } from '../charts/axes.ts';
import { Bars } from '../charts/bars.tsx';
import { seriesColor } from '../charts/colors.ts';
import { TimeChart } from '../charts/time-chart.tsx';
import { t } from '../texts/t.ts';
import { type ChartData, chartDataOf } from './chart-data.ts';
import { isMoney, type Metric } from './report.ts';
import { type MadeReport, metricFormat } from './result.ts';

const words = t.reports;

/** The report as a chart, of one of its metrics. The table below it holds the same for screen readers. */
export function ResultChart({ report }: { report: MadeReport }): ReactNode {
  const { metrics } = report.draft;
  const [chosen, setChosen] = useState<Metric | undefined>(metrics.find(isMoney) ?? metrics[0]);
  const metric = metrics.find((each) => each === chosen) ?? metrics[0];
  const data = metric === undefined ? null : chartDataOf(report, metric);
  if (metric === undefined || data === null) {
    return (
      <Text size="sm" c="dimmed">
        {words.chartAbout}
      </Text>
    );
  }
  return (
    <Stack gap="sm">
      {metrics.length > 1 && (
        <NativeSelect
          label={words.chartOf}
          value={metric}
          onChange={(event) => setChosen(metrics.find((each) => each === event.currentTarget.value))}
          data={metrics.map((each) => ({ value: each, label: words.fields[each] }))}
          w="14rem"
        />
      )}
      <div aria-hidden="true" data-chart={data.points.length}>
        <Drawn data={data} metric={metric} currency={report.answer.meta.currency} />
      </div>
    </Stack>
  );
}

function Drawn({ data, metric, currency }: { data: ChartData; metric: Metric; currency: string }): ReactNode {
  const format = metricFormat(metric, currency);
  if (data.kind === 'bars') {
    const rows = data.points.map((point) => ({ name: point.at, value: Number(point[metric] ?? 0) }));
    return <Bars label={words.fields[metric]} rows={rows} format={format} names={150} />;
  }
  return (
    <TimeChart
      height={300}
      points={data.points.map((point) => ({
        ...point,
        at: /^\d{4}-\d{2}-\d{2}$/.test(point.at) ? shortDay(point.at) : point.at,
      }))}
      series={data.series.map(({ key, name }, index) => ({
        name: key,
        label: name === metric ? words.fields[metric] : name,
        color: seriesColor(index),
        type: 'line',
      }))}
      format={format}
      withLegend={data.series.length > 1}
    />
  );
}
