import type { ReactNode } from 'react';
import { shortName } from './axes.ts';
import { measureColor } from './colors.ts';
import { BarChart } from './lazy-charts.tsx';

export interface BarsProps {
  /** Largest first. */
  readonly rows: readonly { readonly name: string; readonly value: number }[];
  /** The entity that the bars count. */
  readonly label: string;
  readonly format: (value: number) => string;
  /** Of the measure; readers' by default. */
  readonly color?: string;
  /** Room for the names. */
  readonly names: number;
}

const BAR_PX = 36;
const AXES_PX = 40;

/** Names beside bars: for categories without an order of their own. */
export const Bars = ({ rows, label, format, names, color = measureColor.readers }: BarsProps): ReactNode => (
  <BarChart
    h={rows.length * BAR_PX + AXES_PX}
    data={rows.map(({ name, value }) => ({ name: shortName(name), value }))}
    dataKey="name"
    orientation="vertical"
    series={[{ name: 'value', label, color }]}
    valueFormatter={format}
    gridAxis="y"
    maxBarWidth={20}
    yAxisProps={{ width: names, interval: 0 }}
    xAxisProps={{ allowDecimals: false }}
    barChartProps={{ accessibilityLayer: false }}
    barProps={{ isAnimationActive: false }}
  />
);
