import { useClickOutside, useElementSize, useMergedRef } from '@mantine/hooks';
import { type CSSProperties, type PointerEvent, type ReactNode, useState } from 'react';
import { t } from '../texts/t.ts';
import { WhenNear } from '../ui/when-near.tsx';
import classes from './drawing.module.css';
import { type Point, type Series, valueAt } from './series.ts';

/** Of every chart. */
export interface ChartProps {
  readonly points: readonly Point[];
  readonly series: readonly Series[];
  readonly withLegend?: boolean;
}

interface DrawingProps extends ChartProps {
  /** In pixels, with the legend. */
  readonly height: number;
  /** Which point is at this place of the drawing, in pixels; below 0 or beyond the last one: none. */
  readonly pointAt: (x: number, y: number, size: Size) => number;
  /** Its graphics. */
  readonly draw: (size: Size, shown: number | null) => ReactNode;
}

export interface Size {
  readonly width: number;
  readonly height: number;
}

/** The height of a legend in one line. */
export const LEGEND_PX = 30;

/** The frame of every chart: as wide as its place, with a legend, and the values of the point under the pointer. */
export function Drawing(props: DrawingProps): ReactNode {
  return (
    <WhenNear height={props.height}>
      <Frame {...props} />
    </WhenNear>
  );
}

function Frame(props: DrawingProps): ReactNode {
  const { points, series, withLegend = false, pointAt, draw } = props;
  const { ref, width } = useElementSize();
  const [under, setUnder] = useState<{ readonly at: number; readonly x: number } | null>(null);
  const hide = (): void => setUnder(null);
  const place = useMergedRef(ref, useClickOutside(hide));
  const size = { width, height: props.height - (withLegend ? LEGEND_PX : 0) };
  const look = (event: PointerEvent<HTMLDivElement>): void => {
    const { left, top } = event.currentTarget.getBoundingClientRect();
    const x = event.clientX - left;
    const at = Math.floor(pointAt(x, event.clientY - top, size));
    setUnder(at >= 0 && at < points.length ? { at, x } : null);
  };
  const point = under === null ? undefined : points[under.at];
  return (
    <>
      {withLegend && <Legend series={series} />}
      <div
        ref={place}
        className={classes.place}
        style={{ height: size.height }}
        onPointerMove={look}
        onPointerDown={look}
        // A finger leaves as it is lifted: its values stay until it taps elsewhere.
        onPointerLeave={({ pointerType }) => pointerType !== 'touch' && hide()}
      >
        {width > 0 && (
          <svg viewBox={`0 0 ${width} ${size.height}`} height={size.height} aria-hidden="true">
            {draw(size, under?.at ?? null)}
          </svg>
        )}
        {under !== null && point !== undefined && (
          <div className={classes.tooltip} style={besides(under.x, width)}>
            <p>{point.at}</p>
            <ul>
              {shownOf(point, series).map(({ name, label, color, value }) => (
                <li key={name}>
                  <span className={classes.dot} style={{ background: color }} />
                  {label}
                  <b>{value}</b>
                </li>
              ))}
            </ul>
            {point.isUnfinished === true && <small>{t.charts.soFar}</small>}
          </div>
        )}
      </div>
    </>
  );
}

const Legend = ({ series }: { readonly series: readonly Series[] }): ReactNode => (
  <ul className={classes.legend}>
    {series.map(({ name, label, color }) => (
      <li key={name}>
        <span className={classes.dot} style={{ background: color }} />
        {label}
      </li>
    ))}
  </ul>
);

const POINTER_PX = 14;
const WIDEST_TOOLTIP_PX = 260;

/** On the side of the pointer with more room, and within it. */
const besides = (x: number, width: number): CSSProperties => ({
  ...(x < width / 2 ? { left: x + POINTER_PX } : { right: width - x + POINTER_PX }),
  maxWidth: Math.min(WIDEST_TOOLTIP_PX, width / 2 - POINTER_PX),
});

function shownOf(point: Point, series: readonly Series[]): (Series & { readonly value: string })[] {
  return series.flatMap((each) => {
    const value = valueAt(point, each);
    const from = each.from === undefined ? null : valueAt(point, { name: each.from });
    const start = from === null ? '' : `${each.unit.value(from)} – `;
    return value === null ? [] : [{ ...each, value: `${start}${each.unit.value(value)}` }];
  });
}
