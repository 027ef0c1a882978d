import { Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { Funnel } from '../charts/funnel.tsx';
import { formatPercent } from '../shell/format.ts';
import { Section } from '../shell/section.tsx';
import { t } from '../texts/t.ts';
import type { Delivery } from './queries.ts';

/** What readers did with a delivery that somebody may have received. */
export function FunnelSection({ delivery: { engagement, click_rate } }: { delivery: Delivery }): ReactNode {
  return (
    <Section title={t.funnel.title} description={t.funnel.about}>
      {engagement === null ? (
        <Text role="status">{t.funnel.notKnown}</Text>
      ) : (
        <>
          <Funnel figures={engagement} />
          <Text size="sm">{t.funnel.clickRate(formatPercent(click_rate))}</Text>
        </>
      )}
    </Section>
  );
}
