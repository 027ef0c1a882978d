import { area, curveLinear, curveMonotoneX, line } from 'd3-shape';
import type { ReactNode } from 'react';
import type { Series } from './series.ts';

export interface Place {
  readonly x: number;
  readonly y: number;
  readonly isUnfinished: boolean;
}

export interface LineProps {
  readonly series: Series & { readonly type: 'bar' | 'line' | 'area' };
  readonly isSmooth: boolean;
  /** Where its axis begins, in pixels from above. */
  readonly bottom: number;
  /** Null: a gap. */
  readonly places: readonly (Place | null)[];
}

/** Beyond them dots would touch. */
const MOST_DOTS = 31;

/** A line over what is known, with gaps where nothing is, and dashed into what has not ended. */
export function Line({ series: { name, color, type }, isSmooth, bottom, places }: LineProps): ReactNode {
  const curve = isSmooth ? curveMonotoneX : curveLinear;
  const isThere = (place: Place | null): boolean => place !== null;
  const x = (place: Place | null): number => place?.x ?? 0;
  const y = (place: Place | null): number => place?.y ?? 0;
  const ended = places.map((place) => (place?.isUnfinished === true ? null : place));
  const open = places.map((place, at) =>
    place?.isUnfinished === true || places[at + 1]?.isUnfinished === true ? place : null,
  );
  const path = line<Place | null>(x, y).defined(isThere).curve(curve);
  const ground = area<Place | null>(x, bottom, y).defined(isThere).curve(curve);
  const withDots = type === 'line' && places.length <= MOST_DOTS;
  const dots = places.filter((place, at) => place !== null && (withDots || isAlone(places, at)));
  return (
    <>
      {type === 'area' && <path fill={color} opacity={0.14} d={ground(ended) ?? ''} />}
      <path data-series={name} data-line d={path(ended) ?? ''} fill="none" stroke={color} strokeWidth={2} />
      {open.some(isThere) && (
        <path
          data-series={name}
          data-unfinished
          d={path(open) ?? ''}
          fill="none"
          stroke={color}
          strokeWidth={2}
          strokeDasharray="5 5"
        />
      )}
      {dots.map((place, at) => (
        <circle
          key={String(at)}
          cx={x(place)}
          cy={y(place)}
          r={3}
          fill={place?.isUnfinished === true ? 'var(--mantine-color-body)' : color}
          stroke={color}
        />
      ))}
    </>
  );
}

/** Between gaps it would be a line of no length, which nobody sees. */
const isAlone = (places: LineProps['places'], at: number): boolean =>
  (places[at - 1] ?? null) === null && (places[at + 1] ?? null) === null;
