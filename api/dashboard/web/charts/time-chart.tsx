import { scaleBand } from 'd3-scale';
import type { ReactNode } from 'react';
import { labelStep, type ValueAxis, valueAxis, widthOf } from './axes.ts';
import classes from './drawing.module.css';
import { type ChartProps, Drawing, type Size } from './drawing.tsx';
import { Line } from './line.tsx';
import { Range } from './range.tsx';
import { type Point, type Series, valueAt } from './series.ts';
import { countUnit, type Unit } from './units.ts';

export interface TimeSeries extends Series {
  /** Bars of several series stand on one another; a range is behind the lines. */
  readonly type: 'bar' | 'line' | 'area' | 'range';
  /** The name of its axis, with what it is measured in. Each axis has a band of its own, below the one before. */
  readonly axis: string;
}

/** Its points are in the order of time. */
export interface TimeChartProps extends ChartProps {
  /** In pixels, with the legend. */
  readonly height: number;
  readonly series: readonly TimeSeries[];
  /** What its points are: `Day (UTC)`. */
  readonly time: string;
  /** Lines between points are straight, or smooth. */
  readonly isSmooth?: boolean;
}

const GAP_PX = 8;
const NAME_PX = 26;
const TIMES_PX = 24;
const TIME_NAME_PX = 16;
const WIDEST_BAR_PX = 28;

/** Values over days or hours: one scale for what is measured alike, and never two scales over one another. */
export function TimeChart(props: TimeChartProps): ReactNode {
  const bands = bandsOf(props);
  const left = widthOf(bands.flatMap(({ axis, unit }) => axis.ticks.map(unit.tick))) + 2 * GAP_PX;
  const span = (width: number): [number, number] => [left, Math.max(left, width - GAP_PX)];
  return (
    <Drawing
      {...props}
      pointAt={(x, _y, { width }) => {
        const [from, to] = span(width);
        return ((x - from) / (to - from)) * props.points.length;
      }}
      draw={(size, shown) => (
        <Graphics {...props} size={size} span={span(size.width)} bands={placed(bands, size)} shown={shown} />
      )}
    />
  );
}

/** What is measured on one axis. */
interface Band {
  readonly name: string;
  readonly series: readonly TimeSeries[];
  readonly unit: Unit;
  readonly axis: ValueAxis;
}

function bandsOf({ points, series }: TimeChartProps): Band[] {
  return [...new Set(series.map(({ axis }) => axis))].map((name) => {
    const own = series.filter(({ axis }) => axis === name);
    const axis = valueAxis(heights(points, own), [1, 0]);
    return { name, series: own, unit: own[0]?.unit ?? countUnit, axis };
  });
}

/** The bands below one another, each below its name. */
function placed(bands: readonly Band[], size: Size): Band[] {
  const each = (size.height - TIMES_PX - TIME_NAME_PX) / Math.max(1, bands.length);
  return bands.map((band, at) => {
    const scale = band.axis.scale.copy().range([(at + 1) * each - GAP_PX, at * each + NAME_PX]);
    return { ...band, axis: { ...band.axis, scale } };
  });
}

type LineSeries = TimeSeries & { readonly type: 'bar' | 'line' | 'area' };
const isLine = (series: TimeSeries): series is LineSeries => series.type === 'line' || series.type === 'area';

interface GraphicsProps extends TimeChartProps {
  readonly size: Size;
  /** Where the points are, in pixels from the left. */
  readonly span: readonly [number, number];
  readonly bands: readonly Band[];
  readonly shown: number | null;
}

function Graphics({ points, time, isSmooth = false, size, span, bands, shown }: GraphicsProps): ReactNode {
  const places = scaleBand(points.keys(), span).padding(0.3);
  const middleOf = (at: number): number => (places(at) ?? 0) + places.bandwidth() / 2;
  const bottom = size.height - TIMES_PX - TIME_NAME_PX;
  const every = labelStep(
    points.map(({ at }) => at),
    places.step(),
  );
  return (
    <>
      {bands.map((band) => (
        <g key={band.name}>
          <ValueLines band={band} span={span} />
          <Bars points={points} band={band} middleOf={middleOf} width={places.bandwidth()} />
          {band.series
            .filter(({ type }) => type === 'range')
            .map((each) => (
              <Range
                key={each.name}
                series={each}
                places={points.map((point, at) => {
                  const [low, high] = [valueAt(point, { name: each.from ?? '' }), valueAt(point, each)];
                  if (low === null || high === null) return null;
                  return { x: middleOf(at), low: band.axis.scale(low), high: band.axis.scale(high) };
                })}
              />
            ))}
          {band.series.filter(isLine).map((each) => (
            <Line
              key={each.name}
              series={each}
              isSmooth={isSmooth}
              bottom={band.axis.scale(0)}
              places={points.map((point, at) => {
                const value = valueAt(point, each);
                return value === null
                  ? null
                  : {
                      x: middleOf(at),
                      y: band.axis.scale(value),
                      isUnfinished: point.isUnfinished === true,
                    };
              })}
            />
          ))}
        </g>
      ))}
      {shown !== null && (
        <line x1={middleOf(shown)} x2={middleOf(shown)} y1={NAME_PX} y2={bottom} className={classes.cursor} />
      )}
      {points.map(
        ({ at }, index) =>
          index % every === 0 && (
            <text key={String(index)} x={middleOf(index)} y={bottom + TIMES_PX - GAP_PX} textAnchor="middle">
              {at}
            </text>
          ),
      )}
      <text x={span[1]} y={size.height - 4} textAnchor="end" className={classes.axisName} data-axis>
        {time}
      </text>
    </>
  );
}

function ValueLines({ band, span }: { band: Band; span: readonly [number, number] }): ReactNode {
  const { name, unit, axis } = band;
  const [left, right] = span;
  const top = axis.scale.range()[1] ?? 0;
  return (
    <>
      <text x={0} y={top - NAME_PX + 12} className={classes.axisName} data-axis>
        {name}
      </text>
      {axis.ticks.map((tick) => (
        <g key={tick} transform={`translate(0, ${axis.scale(tick)})`}>
          <line x1={left} x2={right} className={tick === 0 ? classes.base : classes.grid} />
          <text x={left - GAP_PX} dy="0.32em" textAnchor="end" data-tick>
            {unit.tick(tick)}
          </text>
        </g>
      ))}
    </>
  );
}

/** Of each point: what its bars reach together, and its lines. */
function heights(points: readonly Point[], series: readonly TimeSeries[]): number[] {
  return points.flatMap((point) => {
    const sum = series
      .filter(({ type }) => type === 'bar')
      .reduce((all, each) => all + (valueAt(point, each) ?? 0), 0);
    const ends = series.flatMap(({ name, from }) => (from === undefined ? [name] : [name, from]));
    return [sum, ...ends.map((name) => valueAt(point, { name }) ?? 0)];
  });
}

interface BarsProps {
  readonly points: readonly Point[];
  readonly band: Band;
  readonly middleOf: (at: number) => number;
  readonly width: number;
}

/** All finished bars of a series are one path: an element for each would take a phone far longer. */
function Bars({ points, band, middleOf, width }: BarsProps): ReactNode {
  const bars = band.series.filter(({ type }) => type === 'bar');
  const pathOf = (index: number, isUnfinished: boolean): string =>
    points
      .map((point, at) => {
        const value = bars[index] === undefined ? 0 : (valueAt(point, bars[index]) ?? 0);
        if (value === 0 || (point.isUnfinished === true) !== isUnfinished) return '';
        const from = bars.slice(0, index).reduce((sum, each) => sum + (valueAt(point, each) ?? 0), 0);
        const [foot, top] = [band.axis.scale(from), band.axis.scale(from + value)];
        const wide = Math.min(width, WIDEST_BAR_PX);
        return `M${middleOf(at) - wide / 2},${foot}V${top}h${wide}V${foot}Z`;
      })
      .join('');
  return bars.map(({ name, color }, index) => (
    <g key={name} fill={color}>
      <path data-series={name} d={pathOf(index, false)} />
      <path
        data-series={name}
        data-unfinished
        className={classes.unfinished}
        stroke={color}
        d={pathOf(index, true)}
      />
    </g>
  ));
}
