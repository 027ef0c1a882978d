import { type ComponentProps, type ComponentType, lazy, Suspense } from 'react';
import { WhenNear } from '../shell/when-near.tsx';
import type { drawnCharts } from './drawn-charts.ts';

type Charts = typeof drawnCharts;

/**
 * A chart that is loaded and drawn once it is about to be seen: drawing one takes a slow phone a tenth of a second, and
 * a page may have eight. Its place is kept, so nothing moves.
 */
function lazyChart<Name extends keyof Charts>(
  name: Name,
): ComponentType<ComponentProps<Charts[Name]> & Sized> {
  const Chart = lazy(async () => ({
    default: (await import('./drawn-charts.ts')).drawnCharts[name] as ComponentType<object>,
  }));
  return (props) => (
    <WhenNear height={props.h}>
      <Suspense>
        <Chart {...props} />
      </Suspense>
    </WhenNear>
  );
}

interface Sized {
  /** Height, in pixels. */
  readonly h: number;
}

export const AreaChart = lazyChart('AreaChart');
export const BarChart = lazyChart('BarChart');
export const CompositeChart = lazyChart('CompositeChart');
export const LineChart = lazyChart('LineChart');
