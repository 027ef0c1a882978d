import { Text } from '@mantine/core';
import type { ReactNode } from 'react';
import type { StandingOfReaders } from '../data/standing/readers-queries.ts';
import { formatNumber } from '../format/format.ts';
import { longWords } from '../format/long-words.ts';
import { once } from '../format/once.ts';
import { locale } from '../texts/language.ts';
import { t } from '../texts/t.ts';
import { figureClass, PlainTable } from '../ui/plain-table.tsx';
import { Section } from '../ui/section.tsx';

const words = t.standing;
const averages = once(() => new Intl.NumberFormat(locale, { maximumFractionDigits: 1 }));
const MOST_ROWS = 12;

/** What a reader got in seven days, by browser. */
export const WeekSection = ({ readers: { week } }: { readers: StandingOfReaders }): ReactNode => (
  <Section title={words.week} description={words.weekAbout}>
    {week.length === 0 ? (
      <Text c="dimmed">{words.weekEmpty}</Text>
    ) : (
      <PlainTable spacing="compact">
        <thead style={longWords}>
          <tr>
            <th scope="col">{words.browser}</th>
            <th scope="col" className={figureClass}>
              {words.subscribers}
            </th>
            <th scope="col" className={figureClass}>
              {words.average}
            </th>
            <th scope="col" className={figureClass}>
              {words.most}
            </th>
          </tr>
        </thead>
        <tbody>
          {week.slice(0, MOST_ROWS).map(({ browser, subscribers, per_reader, most }) => (
            <tr key={browser ?? ''}>
              <th scope="row">{browser ?? words.unknownBrowser}</th>
              <td className={figureClass}>{formatNumber(subscribers)}</td>
              <td className={figureClass}>{averages().format(per_reader)}</td>
              <td className={figureClass}>{formatNumber(most)}</td>
            </tr>
          ))}
        </tbody>
      </PlainTable>
    )}
  </Section>
);
