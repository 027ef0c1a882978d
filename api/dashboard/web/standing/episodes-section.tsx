import { Table } from '@mantine/core';
import type { ReactNode } from 'react';
import { formatNumber, formatTime } from '../shell/format.ts';
import { Section } from '../shell/section.tsx';
import { t } from '../texts/t.ts';
import { longWords } from './long-words.ts';
import type { Standing } from './queries.ts';

const words = t.standing;

/** Times that the app was limited. */
export const EpisodesSection = ({ episodes }: { episodes: Standing['episodes'] }): ReactNode => (
  <Section title={words.episodes} description={words.episodesAbout}>
    <Table verticalSpacing="xs" horizontalSpacing={6}>
      <Table.Thead style={longWords}>
        <Table.Tr>
          <Table.Th scope="col">{words.service}</Table.Th>
          <Table.Th scope="col">{words.from}</Table.Th>
          <Table.Th scope="col">{words.until}</Table.Th>
          <Table.Th scope="col" ta="right">
            {words.lowest}
          </Table.Th>
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {episodes.map(({ push_service, limited_since, ended_at, lowest_per_minute }) => (
          <Table.Tr key={`${push_service} ${limited_since}`}>
            <Table.Th scope="row">{words.services[push_service]}</Table.Th>
            <Table.Td>{formatTime(limited_since)}</Table.Td>
            <Table.Td>{ended_at === null ? words.goesOn : formatTime(ended_at)}</Table.Td>
            <Table.Td ta="right">{formatNumber(lowest_per_minute)}</Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  </Section>
);
