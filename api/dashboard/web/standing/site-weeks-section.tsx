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
const rates = once(() => new Intl.NumberFormat(locale, { maximumFractionDigits: 1 }));
const days = once(() => new Intl.DateTimeFormat(locale, { day: 'numeric', month: 'short', timeZone: 'UTC' }));

/** What Chrome judges a site by: pushes and prompts for the time on it. */
export function SiteWeeksSection({ weeks }: { weeks: StandingOfReaders['site_weeks'] }): ReactNode {
  const isTimed = weeks.some(({ hours }) => hours > 0);
  return (
    <Section title={words.siteWeeks} description={words.siteWeeksAbout}>
      {isTimed ? (
        <PlainTable spacing="compact">
          <thead style={longWords}>
            <tr>
              <th scope="col">{words.weekFrom}</th>
              {[words.hoursOnSite, words.pushesPerHour, words.promptsPerHour].map((word) => (
                <th key={word} scope="col" className={figureClass}>
                  {word}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {weeks.map(({ since, hours, pushes_per_hour: pushes, prompts_per_hour: prompts }) => (
              <tr key={since}>
                <th scope="row">{days().format(new Date(since))}</th>
                <td className={figureClass}>{formatNumber(Math.round(hours))}</td>
                <td className={figureClass}>{rateOf(pushes)}</td>
                <td className={figureClass}>{rateOf(prompts)}</td>
              </tr>
            ))}
          </tbody>
        </PlainTable>
      ) : (
        <Text c="dimmed">{words.siteWeeksEmpty}</Text>
      )}
    </Section>
  );
}

const rateOf = (rate: number | null): string => (rate === null ? '–' : rates().format(rate));
