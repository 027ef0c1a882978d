import { area } from 'd3-shape';
import type { ReactNode } from 'react';
import type { Series } from './series.ts';

export interface RangeProps {
  readonly series: Series;
  /** Null: nothing is known. In pixels. */
  readonly places: readonly ({ readonly x: number; readonly low: number; readonly high: number } | null)[];
}

type RangePlace = RangeProps['places'][number];

/** The ground between two ends, behind the lines that are compared with it. */
export function Range({ series: { name, color }, places }: RangeProps): ReactNode {
  const ground = area<RangePlace>(
    (place) => place?.x ?? 0,
    (place) => place?.low ?? 0,
    (place) => place?.high ?? 0,
  ).defined((place) => place !== null);
  return <path data-series={name} data-range fill={color} opacity={0.3} d={ground(places) ?? ''} />;
}
