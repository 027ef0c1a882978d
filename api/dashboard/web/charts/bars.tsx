import { scaleBand } from 'd3-scale';
import type { ReactNode } from 'react';
import { formatShare } from '../format/format.ts';
import { labelStep, linesOf, valueAxis, widthOf } from './axes.ts';
import { measureColor } from './colors.ts';
import classes from './drawing.module.css';
import { type ChartProps, Drawing, LEGEND_PX, type Size } from './drawing.tsx';
import { type Point, valueAt } from './series.ts';
import { countUnit, type Unit } from './units.ts';

export interface BarRow {
  readonly name: string;
  readonly value: number;
  /** The figure at its end, where it is more than its value in the unit. */
  readonly says?: string;
}

export interface BarsProps {
  /** Largest first. */
  readonly rows: readonly BarRow[];
  /** What the bars measure: the axis has this name. */
  readonly label: string;
  readonly unit?: Unit;
  /** Of which the rows are parts: each says its share, too. */
  readonly whole?: number;
  /** Of the measure; readers' by default. */
  readonly color?: string;
  /** Room for the names. */
  readonly names: number;
}

/** Names beside bars: for categories without an order of their own. */
export const Bars = ({ rows, label, unit = countUnit, whole, names, color }: BarsProps): ReactNode => (
  <StackedBars
    points={rows.map(({ name, value, says }) => ({ at: name, value, says: says ?? null }))}
    series={[{ name: 'value', label, color: color ?? measureColor.readers, unit }]}
    axis={label}
    says={({ value, says }) => {
      const figure = says ?? unit.value(Number(value));
      return whole === undefined ? String(figure) : `${figure} · ${formatShare(Number(value), whole)}`;
    }}
    names={names}
  />
);

/** A row for each point; the bars of its series are joined, in their order. */
export interface StackedBarsProps extends ChartProps {
  /** What they measure together. */
  readonly axis: string;
  /** The figures at the end of a row's bar. */
  readonly says: (point: Point) => string;
  /** Room for the names, in pixels. */
  readonly names: number;
}

const BAR_PX = 36;
const TICKS_PX = 24;
const NAME_PX = 16;
const AXIS_PX = TICKS_PX + NAME_PX;
const GAP_PX = 8;
const LINE_PX = 14;
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

type GraphicsProps = StackedBarsProps & { readonly size: Size; readonly shown: number | null };

function Graphics(props: GraphicsProps): ReactNode {
  const { points, series, axis, says, names, size, shown } = props;
  const bottom = size.height - AXIS_PX;
  const rows = scaleBand(points.keys(), [0, bottom]).padding(0.3);
  const sums = points.map((point) => series.reduce((sum, each) => sum + (valueAt(point, each) ?? 0), 0));
  const right = Math.max(names, size.width - widthOf(points.map(says)) - 2 * GAP_PX);
  const { scale, ticks } = valueAxis(sums, [names, right]);
  const label = (series[0]?.unit ?? countUnit).tick;
  const every = labelStep(ticks.map(label), scale(ticks[1] ?? 0) - names);
  return (
    <>
      {ticks.map((tick, at) => (
        <g key={tick} transform={`translate(${scale(tick)}, 0)`}>
          <line y1={0} y2={bottom} className={tick === 0 ? classes.base : classes.grid} />
          {at % every === 0 && (
            <text y={bottom + TICKS_PX - 8} textAnchor="middle">
              {label(tick)}
            </text>
          )}
        </g>
      ))}
      <text x={right} y={size.height - 4} textAnchor="end" className={classes.axisName}>
        {axis}
      </text>
      {points.map((point, at) => (
        <g key={String(at)} opacity={shown === null || shown === at ? 1 : 0.6}>
          <Row
            {...props}
            point={point}
            middle={(rows(at) ?? 0) + rows.bandwidth() / 2}
            height={Math.min(rows.bandwidth(), WIDEST_BAR_PX)}
            scale={scale}
          />
        </g>
      ))}
    </>
  );
}

interface RowProps extends Pick<StackedBarsProps, 'series' | 'says' | 'names'> {
  readonly point: Point;
  readonly middle: number;
  readonly height: number;
  readonly scale: (value: number) => number;
}

function Row({ point, series, says, names, middle, height, scale }: RowProps): ReactNode {
  const lines = linesOf(point.at, names - GAP_PX);
  let from = 0;
  return (
    <>
      <text x={names - GAP_PX} y={middle - ((lines.length - 1) * LINE_PX) / 2} textAnchor="end">
        <title>{point.at}</title>
        {lines.map((line, at) => (
          <tspan key={String(at)} x={names - GAP_PX} dy={at === 0 ? '0.32em' : LINE_PX}>
            {line}
          </tspan>
        ))}
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
      <text x={scale(from) + GAP_PX} y={middle} dy="0.32em" className={classes.value} data-says>
        {says(point)}
      </text>
    </>
  );
}
