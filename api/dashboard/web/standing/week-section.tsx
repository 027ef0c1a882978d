import { Table, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { formatNumber } from '../shell/format.ts';
import { Section } from '../shell/section.tsx';
import { locale } from '../texts/language.ts';
import { t } from '../texts/t.ts';
import { longWords } from './long-words.ts';
import type { StandingOfReaders } from './readers-queries.ts';

const words = t.standing;
const averages = new Intl.NumberFormat(locale, { maximumFractionDigits: 1 });
const MOST_ROWS = 12;

/** What a reader got in seven days, by browser. */
export const WeekSection = ({ readers: { week } }: { readers: StandingOfReaders }): ReactNode => (
  <Section title={words.week} description={words.weekAbout}>
    {week.length === 0 ? (
      <Text c="dimmed">{words.weekEmpty}</Text>
    ) : (
      <Table verticalSpacing="xs" horizontalSpacing={6}>
        <Table.Thead style={longWords}>
          <Table.Tr>
            <Table.Th scope="col">{words.browser}</Table.Th>
            <Table.Th scope="col" ta="right">
              {words.subscribers}
            </Table.Th>
            <Table.Th scope="col" ta="right">
              {words.average}
            </Table.Th>
            <Table.Th scope="col" ta="right">
              {words.most}
            </Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {week.slice(0, MOST_ROWS).map(({ browser, subscribers, per_reader, most }) => (
            <Table.Tr key={browser ?? ''}>
              <Table.Th scope="row">{browser ?? words.unknownBrowser}</Table.Th>
              <Table.Td ta="right">{formatNumber(subscribers)}</Table.Td>
              <Table.Td ta="right">{averages.format(per_reader)}</Table.Td>
              <Table.Td ta="right">{formatNumber(most)}</Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    )}
  </Section>
);
