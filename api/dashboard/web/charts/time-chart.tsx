import { scaleBand } from 'd3-scale';
import { area, curveLinear, curveMonotoneX, line } from 'd3-shape';
import type { ReactNode } from 'react';
import { compactNumber, labelStep, type ValueAxis, valueAxis } from './axes.ts';
import classes from './drawing.module.css';
import { type ChartProps, Drawing, type Size } from './drawing.tsx';
import { type Point, type Series, valueAt } from './series.ts';

export interface TimeSeries extends Series {
  /** Bars of several series stand on one another. */
  readonly type: 'bar' | 'line' | 'area';
  /** On an axis of its own, at the right. */
  readonly isRight?: boolean;
  readonly isDashed?: boolean;
}

/** Its points are in the order of time. */
export interface TimeChartProps extends ChartProps {
  /** In pixels, with the legend. */
  readonly height: number;
  readonly series: readonly TimeSeries[];
  /** Lines between points are straight, or smooth. */
  readonly isSmooth?: boolean;
}

const AXIS_PX = 48;
const TOP_PX = 8;
const DAYS_PX = 24;
const WIDEST_BAR_PX = 28;
/** Beyond them dots would touch. */
const MOST_DOTS = 31;

/** Values over days or hours. */
export function TimeChart(props: TimeChartProps): ReactNode {
  const { points, series } = props;
  const hasRight = series.some(({ isRight = false }) => isRight);
  const span = (width: number): [number, number] => [
    AXIS_PX,
    Math.max(AXIS_PX, width - (hasRight ? AXIS_PX : TOP_PX)),
  ];
  return (
    <Drawing
      {...props}
      pointAt={(x, _y, { width }) => {
        const [left, right] = span(width);
        return ((x - left) / (right - left)) * points.length;
      }}
      draw={(size, shown) => <Graphics {...props} size={size} span={span(size.width)} shown={shown} />}
    />
  );
}

interface GraphicsProps extends TimeChartProps {
  readonly size: Size;
  /** Where the days are, in pixels from the left. */
  readonly span: readonly [number, number];
  readonly shown: number | null;
}

function Graphics(props: GraphicsProps): ReactNode {
  const { points, series, size, span, shown } = props;
  const bottom = size.height - DAYS_PX;
  const places = scaleBand(points.keys(), span).padding(0.3);
  const axisOf = (isRight: boolean): ValueAxis =>
    valueAxis(
      heights(
        points,
        series.filter((each) => (each.isRight ?? false) === isRight),
      ),
      [bottom, TOP_PX],
    );
  const [leftAxis, rightAxis] = [axisOf(false), axisOf(true)];
  const middleOf = (at: number): number => (places(at) ?? 0) + places.bandwidth() / 2;
  const bars = series.filter(({ type }) => type === 'bar');
  const lines = series.filter(({ type }) => type !== 'bar');
  const axisFor = ({ isRight = false }: TimeSeries): ValueAxis => (isRight ? rightAxis : leftAxis);
  return (
    <>
      <Axes
        points={points}
        span={span}
        leftAxis={leftAxis}
        rightAxis={series.some(({ isRight = false }) => isRight) ? rightAxis : null}
        height={size.height}
        step={places.step()}
        middleOf={middleOf}
      />
      {shown !== null && (
        <line x1={middleOf(shown)} x2={middleOf(shown)} y1={TOP_PX} y2={bottom} className={classes.cursor} />
      )}
      {bars.map((each, index) => (
        <path
          key={each.name}
          fill={each.color}
          data-series={each.name}
          d={barsPath(points, bars.slice(0, index), each, axisFor(each), middleOf, places.bandwidth())}
        />
      ))}
      {lines.map((each) => (
        <Line
          key={each.name}
          series={each}
          isSmooth={props.isSmooth ?? false}
          bottom={axisFor(each).scale(0)}
          places={points.map((point, at) => {
            const value = valueAt(point, each);
            return value === null ? null : [middleOf(at), axisFor(each).scale(value)];
          })}
        />
      ))}
    </>
  );
}

interface AxesProps {
  readonly points: readonly Point[];
  readonly span: readonly [number, number];
  readonly leftAxis: ValueAxis;
  /** Null: it has none. */
  readonly rightAxis: ValueAxis | null;
  /** Of all, in pixels. */
  readonly height: number;
  /** From one point to the next, in pixels. */
  readonly step: number;
  readonly middleOf: (at: number) => number;
}

function Axes({ points, span, leftAxis, rightAxis, height, step, middleOf }: AxesProps): ReactNode {
  const [left, right] = span;
  const every = labelStep(
    points.map(({ at }) => at),
    step,
  );
  return (
    <>
      {leftAxis.ticks.map((tick) => (
        <g key={tick} transform={`translate(0, ${leftAxis.scale(tick)})`}>
          <line x1={left} x2={right} className={tick === 0 ? classes.base : classes.grid} />
          <text x={left - 8} dy="0.32em" textAnchor="end">
            {compactNumber(tick)}
          </text>
        </g>
      ))}
      {rightAxis?.ticks.map((tick) => (
        <text key={tick} x={right + 8} y={rightAxis.scale(tick)} dy="0.32em">
          {compactNumber(tick)}
        </text>
      ))}
      {points.map(
        ({ at }, index) =>
          index % every === 0 && (
            <text key={String(index)} x={middleOf(index)} y={height - 4} textAnchor="middle">
              {at}
            </text>
          ),
      )}
    </>
  );
}

/** Of each point: what its bars reach together, and its lines. */
function heights(points: readonly Point[], series: readonly TimeSeries[]): number[] {
  return points.flatMap((point) => {
    const sum = series
      .filter(({ type }) => type === 'bar')
      .reduce((all, each) => all + (valueAt(point, each) ?? 0), 0);
    return [sum, ...series.map((each) => valueAt(point, each) ?? 0)];
  });
}

/** All bars of one series: an element for each would take a phone far longer. */
function barsPath(
  points: readonly Point[],
  below: readonly TimeSeries[],
  series: TimeSeries,
  { scale }: ValueAxis,
  middleOf: (at: number) => number,
  band: number,
): string {
  const width = Math.min(band, WIDEST_BAR_PX);
  return points
    .map((point, at) => {
      const value = valueAt(point, series) ?? 0;
      if (value === 0) return '';
      const from = below.reduce((sum, each) => sum + (valueAt(point, each) ?? 0), 0);
      const [foot, top] = [scale(from), scale(from + value)];
      return `M${middleOf(at) - width / 2},${foot}V${top}h${width}V${foot}Z`;
    })
    .join('');
}

interface LineProps {
  readonly series: TimeSeries;
  readonly isSmooth: boolean;
  /** Where its axis begins, in pixels from above. */
  readonly bottom: number;
  /** In pixels; null: a gap. */
  readonly places: readonly (readonly [number, number] | null)[];
}

function Line({ series: { name, color, type, isDashed = false }, isSmooth, bottom, places }: LineProps) {
  const curve = isSmooth ? curveMonotoneX : curveLinear;
  const isThere = (place: readonly [number, number] | null) => place !== null;
  const x = (place: readonly [number, number] | null): number => place?.[0] ?? 0;
  const y = (place: readonly [number, number] | null): number => place?.[1] ?? 0;
  const path = line<readonly [number, number] | null>(x, y).defined(isThere).curve(curve)(places);
  const known = places.filter((place) => place !== null);
  const withDots = known.length === 1 || (type === 'line' && places.length <= MOST_DOTS);
  return (
    <>
      {type === 'area' && (
        <path
          fill={color}
          opacity={0.14}
          d={area<readonly [number, number] | null>(x, bottom, y).defined(isThere).curve(curve)(places) ?? ''}
        />
      )}
      <path
        data-series={name}
        data-line
        d={path ?? ''}
        fill="none"
        stroke={color}
        strokeWidth={2}
        strokeDasharray={isDashed ? '5 5' : undefined}
      />
      {withDots &&
        known.map(([cx, cy], at) => <circle key={String(at)} cx={cx} cy={cy} r={3} fill={color} />)}
    </>
  );
}
