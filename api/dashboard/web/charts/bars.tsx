import { scaleBand } from 'd3-scale';
import type { ReactNode } from 'react';
import { compactNumber, labelStep, shortName, valueAxis } from './axes.ts';
import { measureColor } from './colors.ts';
import classes from './drawing.module.css';
import { type ChartProps, Drawing, LEGEND_PX, type Size } from './drawing.tsx';
import { valueAt } from './series.ts';

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

/** A row for each point; the bars of its series are joined, in their order. */
export interface StackedBarsProps extends ChartProps {
  /** Room for the names, in pixels. */
  readonly names: number;
}

const BAR_PX = 36;
const AXIS_PX = 28;
const RIGHT_PX = 12;
const WIDEST_BAR_PX = 20;

export function StackedBars(props: StackedBarsProps): ReactNode {
  const { points, withLegend = false } = props;
  return (
    <Drawing
      {...props}
      height={points.length * BAR_PX + AXIS_PX + (withLegend ? LEGEND_PX : 0)}
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
  const { scale, ticks } = valueAxis(sums, [names, Math.max(names, size.width - RIGHT_PX)]);
  const height = Math.min(rows.bandwidth(), WIDEST_BAR_PX);
  // A percentage says itself best; of a count its size is enough.
  const label = sums.every(Number.isInteger) ? compactNumber : format;
  const every = labelStep(ticks.map(label), scale(ticks[1] ?? 0) - names);
  return (
    <>
      {ticks.map((tick, at) => (
        <g key={tick} transform={`translate(${scale(tick)}, 0)`}>
          <line y1={0} y2={bottom} className={tick === 0 ? classes.base : classes.grid} />
          {at % every === 0 && (
            <text y={size.height - 8} textAnchor="middle">
              {label(tick)}
            </text>
          )}
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
