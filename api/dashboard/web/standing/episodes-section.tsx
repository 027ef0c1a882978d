import type { ReactNode } from 'react';
import type { Standing } from '../data/standing/queries.ts';
import { formatNumber, formatTime } from '../format/format.ts';
import { longWords } from '../format/long-words.ts';
import { t } from '../texts/t.ts';
import { figureClass, PlainTable } from '../ui/plain-table.tsx';
import { Section } from '../ui/section.tsx';

const words = t.standing;

/** Times that the app was limited. */
export const EpisodesSection = ({ episodes }: { episodes: Standing['episodes'] }): ReactNode => (
  <Section title={words.episodes} description={words.episodesAbout}>
    <PlainTable spacing="compact">
      <thead style={longWords}>
        <tr>
          <th scope="col">{words.service}</th>
          <th scope="col">{words.from}</th>
          <th scope="col">{words.until}</th>
          <th scope="col" className={figureClass}>
            {words.lowest}
          </th>
        </tr>
      </thead>
      <tbody>
        {episodes.map(({ push_service, limited_since, ended_at, lowest_per_minute }) => (
          <tr key={`${push_service} ${limited_since}`}>
            <th scope="row">{words.services[push_service]}</th>
            <td>{formatTime(limited_since)}</td>
            <td>{ended_at === null ? words.goesOn : formatTime(ended_at)}</td>
            <td className={figureClass}>{formatNumber(lowest_per_minute)}</td>
          </tr>
        ))}
      </tbody>
    </PlainTable>
  </Section>
);
