import { Anchor } from '@mantine/core';
import type { ReactNode } from 'react';
import type { Feed, FeedPlan } from '../../data/campaigns/feeds/resource.ts';
import { scheduleInWords, zoneInWords } from '../../data/campaigns/schedule.ts';
import { exactDuration } from '../../format/exact-duration.ts';
import { formatTime } from '../../format/format.ts';
import { t } from '../../texts/t.ts';
import { Facts } from '../../ui/facts.tsx';
import { Section } from '../../ui/section.tsx';

const words = t.feeds;

interface Props {
  readonly campaign: Feed;
  readonly plan: FeedPlan;
}

/** What a feed is, and when it was read. */
export function FeedSection({ campaign, plan }: Props): ReactNode {
  const { feed } = campaign;
  const list = new Intl.ListFormat(document.documentElement.lang, { type: 'unit' });
  const { categories = [], words: wanted = [], without = [] } = plan.filter;
  return (
    <Section title={words.feed}>
      <Facts
        facts={[
          [
            words.url,
            <Anchor
              key="url"
              href={plan.url}
              target="_blank"
              rel="noreferrer"
              style={{ overflowWrap: 'anywhere' }}
            >
              {feed?.title ?? plan.url}
            </Anchor>,
          ],
          [words.lastRead, feed?.last_read_at ? formatTime(feed.last_read_at) : words.neverRead],
          [words.looks, looksOf(plan)],
          [words.publish, words.publishes[plan.publish]],
          ...(plan.schedule === undefined
            ? [[words.perHour, `${plan.max_per_hour}, ${words.overflowsShort[plan.overflow]}`] as const]
            : []),
          [t.compose.title, plan.mapping.title],
          [t.compose.body, plan.mapping.body],
          ...filterFacts([
            ['categories', categories],
            ['words', wanted],
            ['without', without],
          ]).map(([name, all]) => [words.filters[name], list.format(all)] as const),
        ]}
      />
    </Section>
  );
}

type FilterFact = readonly [name: keyof typeof words.filters, all: readonly string[]];
const filterFacts = (facts: readonly FilterFact[]) => facts.filter(([, all]) => all.length > 0);

const looksOf = ({ schedule, time_zone, every_minutes }: FeedPlan): string =>
  schedule === undefined
    ? words.everySo(exactDuration(every_minutes))
    : `${scheduleInWords(schedule)}, ${zoneInWords(time_zone ?? '')}`;
