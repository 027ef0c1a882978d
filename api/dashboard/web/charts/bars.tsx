import { scaleBand } from 'd3-scale';
import type { ReactNode } from 'react';
import { compactNumber, shortName, valueAxis } from './axes.ts';
import { measureColor } from './colors.ts';
import classes from './drawing.module.css';
import { Drawing, type Size } from './drawing.tsx';
import { type Point, type Series, valueAt } from './series.ts';

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

/** Names beside bars: for categories without an order of their own. */
export const Bars = ({ rows, label, format, names, color = measureColor.readers }: BarsProps): ReactNode => (
  <StackedBars
    points={rows.map(({ name, value }) => ({ at: name, value }))}
    series={[{ name: 'value', label, color }]}
    format={format}
    names={names}
  />
);

export interface StackedBarsProps {
  /** One row each. */
  readonly points: readonly Point[];
  /** Their bars are joined, in this order. */
  readonly series: readonly Series[];
  readonly format: (value: number) => string;
  /** Room for the names, in pixels. */
  readonly names: number;
  readonly withLegend?: boolean;
}

const BAR_PX = 36;
const AXIS_PX = 28;
const LEGEND_PX = 30;
const RIGHT_PX = 12;
const WIDEST_BAR_PX = 20;

export function StackedBars(props: StackedBarsProps): ReactNode {
  const { points, series, format, withLegend = false } = props;
  return (
    <Drawing
      height={points.length * BAR_PX + AXIS_PX + (withLegend ? LEGEND_PX : 0)}
      points={points}
      series={series}
      format={format}
      withLegend={withLegend}
      pointAt={(_x, y) => y / BAR_PX}
      draw={(size, shown) => <Graphics {...props} size={size} shown={shown} />}
    />
  );
}

function Graphics({
  points,
  series,
  format,
  names,
  size,
  shown,
}: StackedBarsProps & { readonly size: Size; readonly shown: number | null }): ReactNode {
  const bottom = size.height - AXIS_PX;
  const rows = scaleBand(points.keys(), [0, bottom]).padding(0.3);
  const sums = points.map((point) => series.reduce((sum, each) => sum + (valueAt(point, each) ?? 0), 0));
  const { scale, ticks } = valueAxis(
    sums,
    [names, Math.max(names, size.width - RIGHT_PX)],
    sums.every(Number.isInteger),
  );
  const height = Math.min(rows.bandwidth(), WIDEST_BAR_PX);
  // A percentage says itself best; of a count its size is enough.
  const label = sums.every(Number.isInteger) ? compactNumber : format;
  return (
    <>
      {ticks.map((tick) => (
        <g key={tick} transform={`translate(${scale(tick)}, 0)`}>
          <line y1={0} y2={bottom} className={tick === 0 ? classes.base : classes.grid} />
          <text y={size.height - 8} textAnchor="middle">
            {label(tick)}
          </text>
        </g>
      ))}
      {points.map((point, at) => {
        const middle = (rows(at) ?? 0) + rows.bandwidth() / 2;
        let from = 0;
        return (
          <g key={String(at)} opacity={shown === null || shown === at ? 1 : 0.6}>
            <text x={names - 8} y={middle} dy="0.32em" textAnchor="end">
              {shortName(point.at)}
            </text>
            {series.map((each) => {
              const value = valueAt(point, each) ?? 0;
              const [x, width] = [scale(from), scale(from + value) - scale(from)];
              from += value;
              return (
                <rect
                  key={each.name}
                  data-series={each.name}
                  x={x}
                  y={middle - height / 2}
                  width={width}
                  height={height}
                  fill={each.color}
                />
              );
            })}
          </g>
        );
      })}
    </>
  );
}
