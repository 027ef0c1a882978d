import { BarChart } from '@mantine/charts';
import type { ReactNode } from 'react';
import { shortName } from './axes.ts';
import { seriesColor } from './colors.ts';

export interface BarsProps {
  /** Largest first. */
  readonly rows: readonly { readonly name: string; readonly value: number }[];
  /** What the bars are of. */
  readonly label: string;
  readonly format: (value: number) => string;
  /** Room for the names. */
  readonly names: number;
}

const BAR_PX = 36;
const AXES_PX = 40;

/** Names beside bars: for what has no order of its own. */
export const Bars = ({ rows, label, format, names }: BarsProps): ReactNode => (
  <BarChart
    h={rows.length * BAR_PX + AXES_PX}
    data={rows.map(({ name, value }) => ({ name: shortName(name), value }))}
    dataKey="name"
    orientation="vertical"
    series={[{ name: 'value', label, color: seriesColor(0) }]}
    valueFormatter={format}
    gridAxis="y"
    maxBarWidth={20}
    yAxisProps={{ width: names, interval: 0 }}
    xAxisProps={{ allowDecimals: false }}
    barChartProps={{ accessibilityLayer: false }}
    barProps={{ isAnimationActive: false }}
  />
);
