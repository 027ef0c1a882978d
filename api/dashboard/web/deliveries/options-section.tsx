import { Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useApp } from '../data/apps/use-app.ts';
import { categoriesQuery } from '../data/categories/queries.ts';
import type { Delivery } from '../data/deliveries/queries.ts';
import { useApi } from '../data/http/services.tsx';
import { segmentChoicesQuery } from '../data/segments/audience-queries.ts';
import { formatDuration } from '../format/duration.ts';
import { formatNumber, formatTime } from '../format/format.ts';
import { t } from '../texts/t.ts';
import { Facts } from '../ui/facts.tsx';
import { Section } from '../ui/section.tsx';

const words = t.delivery;

/** Everything the delivery was made with. */
export function OptionsSection({ delivery }: { delivery: Delivery }): ReactNode {
  const { segment_id: segment, delivery_category_id: category } = delivery;
  const { identifier } = useApp();
  const api = useApi();
  const segments = useQuery({ ...segmentChoicesQuery(api, identifier), enabled: segment !== null });
  const categories = useQuery({ ...categoriesQuery(api, identifier), enabled: category !== null });
  const named = (rows: readonly { id: number; name: string }[] | undefined, id: number, gone: string) =>
    rows === undefined ? '' : (rows.find((row) => row.id === id)?.name ?? gone);
  return (
    <Section title={words.settings}>
      <Facts
        facts={[
          [words.number, delivery.id],
          [words.opens, <Address key="url" url={delivery.url} />],
          [
            words.segment,
            delivery.corrects_delivery_id !== null
              ? t.correction.readers
              : segment === null
                ? words.everybody
                : named(segments.data?.data, segment, words.deletedSegment),
          ],
          ...(category === null
            ? []
            : [[words.category, named(categories.data?.data, category, words.deletedCategory)] as const]),
          ...sendingFacts(delivery),
        ]}
      />
    </Section>
  );
}

const Address = ({ url }: { url: string }): ReactNode => (
  <Text size="sm" inherit style={{ overflowWrap: 'anywhere' }}>
    {url}
  </Text>
);

const sendingFacts = (delivery: Delivery): readonly (readonly [string, ReactNode])[] => [
  [words.lane, words.lanes[delivery.lane]],
  [words.urgency, t.compose.urgencies[delivery.urgency]],
  [
    words.pace,
    delivery.rate_per_minute === null
      ? words.asFast
      : words.perMinute(formatNumber(delivery.rate_per_minute)),
  ],
  [words.ttl, delivery.ttl_seconds === 0 ? t.compose.ttlNever : formatDuration(delivery.ttl_seconds)],
  ...(delivery.expires_at === null ? [] : [[words.expires, formatTime(delivery.expires_at)] as const]),
  ...(delivery.topic === null ? [] : [[words.topic, delivery.topic] as const]),
  [words.cap, delivery.ignore_frequency_cap ? words.capIgnored : words.capKept],
  [words.stays, delivery.require_interaction ? words.yes : words.no],
];
