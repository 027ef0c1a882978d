import { Text } from '@mantine/core';
import { lazy, type ReactNode, Suspense } from 'react';
import { formatMoney, formatUtcDay } from '../../format/format.ts';
import { t } from '../../texts/t.ts';
import { type Column, DataTable } from '../../ui/data-table.tsx';
import { Lines } from '../../ui/loading.tsx';
import { figureClass, PlainTable } from '../../ui/plain-table.tsx';
import { Section } from '../../ui/section.tsx';
import type { Ask } from '../use-jobs.ts';
import type { Anomaly, AnomalyPart } from './answers.ts';
import { differenceText } from './figures.ts';
import { MuteButton } from './mute-button.tsx';
import { orNotStated, seriesName } from './series-name.ts';

// Charts are heavy, and where nothing is unusual there is none.
const BandChart = lazy(async () => ({ default: (await import('./band-chart.tsx')).BandChart }));

const words = t.reportChecks.unusual;

interface AnomalyCardProps {
  readonly anomaly: Anomaly;
  readonly currency: string;
  readonly ask: Ask;
  readonly onMuted: () => void;
}

/** One series on one day: how far it was from its weekdays, and where that comes from. */
export function AnomalyCard({ anomaly, currency, ask, onMuted }: AnomalyCardProps): ReactNode {
  const { day, earnings, low, high, difference, parts } = anomaly;
  const money = (value: number): string => formatMoney(value, currency);
  const size = difference < 0 ? words.less(money(-difference)) : words.more(money(difference));
  const columns: readonly Column<AnomalyPart>[] = [
    {
      key: 'part',
      header: words.part,
      names: true,
      cell: ({ dimension, value }) => `${t.reports.fields[dimension]}: ${orNotStated(value)}`,
    },
    { key: 'earned', header: t.reports.fields.earnings, numeric: true, cell: (part) => money(part.earnings) },
    { key: 'usual', header: words.usual, numeric: true, cell: (part) => money(part.usual) },
    {
      key: 'difference',
      header: t.reportChecks.differences.difference,
      numeric: true,
      cell: (part) => differenceText(part.difference, currency),
    },
  ];
  return (
    <Section
      title={seriesName(anomaly)}
      description={`${formatUtcDay(new Date(day))}: ${money(earnings)}, ${size}. ${words.range(money(low), money(high))}`}
    >
      <Suspense fallback={<Lines />}>
        <BandChart anomaly={anomaly} currency={currency} />
      </Suspense>
      <WeekdaysTable anomaly={anomaly} money={money} />
      {parts.length > 0 && (
        <div>
          <Text fw={600} size="sm" mb={4}>
            {words.from}
          </Text>
          <DataTable
            label={`${words.from}: ${seriesName(anomaly)}, ${formatUtcDay(new Date(day))}`}
            columns={columns}
            rows={parts}
            keyOf={({ dimension, value }) => `${dimension} ${value}`}
          />
        </div>
      )}
      <div>
        <MuteButton series={anomaly} ask={ask} onMuted={onMuted} />
      </div>
    </Section>
  );
}

/** The chart's figures for those who do not see it. */
const WeekdaysTable = ({
  anomaly,
  money,
}: {
  anomaly: Anomaly;
  money: (value: number) => string;
}): ReactNode => (
  <div className="visually-hidden">
    <PlainTable label={`${words.weekdays}: ${seriesName(anomaly)}`}>
      <thead>
        <tr>
          <th scope="col">{t.reports.fields.day}</th>
          <th scope="col" className={figureClass}>
            {t.reports.fields.earnings}
          </th>
        </tr>
      </thead>
      <tbody>
        {anomaly.history.map(({ day, earnings }) => (
          <tr key={day}>
            <th scope="row">{formatUtcDay(new Date(day))}</th>
            <td className={figureClass}>{money(earnings)}</td>
          </tr>
        ))}
      </tbody>
    </PlainTable>
  </div>
);
