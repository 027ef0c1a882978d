import { Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Funnel } from '../charts/funnel.tsx';
import { recentQuery } from '../data/apps/overview-queries.ts';
import { typicalFor } from '../data/apps/typical.ts';
import type { Delivery } from '../data/deliveries/queries.ts';
import { useApi } from '../data/http/services.tsx';
import { formatNumber, formatPercent, formatShare } from '../format/format.ts';
import { t } from '../texts/t.ts';
import { Section } from '../ui/section.tsx';

interface FunnelProps {
  readonly app: string;
  readonly delivery: Delivery;
}

const HOURS_48_MS = 48 * 3_600_000;

/** Readers' reactions to a delivery that was possibly received: beside what is typical, and with those who left. */
export function FunnelSection({ app, delivery }: FunnelProps): ReactNode {
  const { engagement, success_count, started_at, unsubscribed_within_48_hours: left } = delivery;
  const recent = useQuery(recentQuery(useApi(), app)).data?.data ?? [];
  const band = typicalFor(delivery, recent);
  const isOver = Date.now() - Date.parse(started_at ?? '') > HOURS_48_MS;
  return (
    <Section title={t.funnel.title} description={t.funnel.about}>
      {engagement === null ? (
        <Text role="status">{t.funnel.notKnown}</Text>
      ) : (
        <>
          <Funnel figures={engagement} />
          <Text size="sm">
            {t.funnel.clickRate(formatShare(engagement.clicked, engagement.accepted))}{' '}
            {band !== null && t.funnel.typical(formatPercent(band.from), formatPercent(band.to))}
          </Text>
        </>
      )}
      <Text size="sm" data-left={left ?? 'unknown'}>
        {left === null
          ? t.funnel.leftUnknown
          : t.funnel.left(left, formatNumber(left), formatShare(left, success_count), isOver)}
      </Text>
    </Section>
  );
}
