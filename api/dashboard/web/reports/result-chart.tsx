import { NativeSelect, Stack, Text } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { shortDay } from '../charts/axes.ts';
import { Bars } from '../charts/bars.tsx';
import { seriesColor } from '../charts/colors.ts';
import { TimeChart } from '../charts/time-chart.tsx';
import { countUnit, moneyUnit } from '../charts/units.ts';
import { t } from '../texts/t.ts';
import { type ChartData, chartDataOf } from './chart-data.ts';
import { isMoney, type Metric } from './report.ts';
import type { MadeReport, ReportAnswer } from './result.ts';

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
      <div aria-hidden="true" data-chart={data.kind === 'bars' ? data.rows.length : data.points.length}>
        <Drawn data={data} metric={metric} meta={report.answer.meta} />
      </div>
    </Stack>
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
