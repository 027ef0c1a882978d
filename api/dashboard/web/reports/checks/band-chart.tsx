import type { ReactNode } from 'react';
import { shortDay } from '../../charts/axes.ts';
import { measureColor, seriesColor } from '../../charts/colors.ts';
import { TimeChart } from '../../charts/time-chart.tsx';
import { moneyUnit } from '../../charts/units.ts';
import { t } from '../../texts/t.ts';
import type { Anomaly } from './answers.ts';

const words = t.reportChecks.unusual;

/** The day after the same weekdays before it, over the band of usual values. */
export function BandChart({ anomaly, currency }: { anomaly: Anomaly; currency: string }): ReactNode {
  const { day, earnings, usual, low, high, history } = anomaly;
  const common = { unit: moneyUnit(currency), axis: `${t.reports.fields.earnings} (${currency})` };
  return (
    <div aria-hidden="true" data-band={history.length + 1}>
      <TimeChart
        height={220}
        time={words.weekdays}
        points={[...history, { day, earnings }].map((each) => ({
          at: shortDay(each.day),
          earned: each.earnings,
          ...{ usual, low, high },
        }))}
        series={[
          {
            ...common,
            name: 'high',
            from: 'low',
            label: words.band,
            color: measureColor.closed,
            type: 'range',
          },
          { ...common, name: 'usual', label: words.usual, color: seriesColor(0), type: 'line' },
          {
            ...common,
            name: 'earned',
            label: t.reports.fields.earnings,
            color: measureColor.earnings,
            type: 'line',
          },
        ]}
        withLegend
      />
    </div>
  );
}
