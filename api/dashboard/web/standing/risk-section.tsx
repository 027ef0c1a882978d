import { Anchor, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { StandingOfReaders } from '../data/standing/readers-queries.ts';
import { formatNumber, formatShare } from '../format/format.ts';
import { t } from '../texts/t.ts';
import { Figures } from '../ui/figures.tsx';
import { Section } from '../ui/section.tsx';

const words = t.standing;

interface RiskSectionProps {
  readonly app: string;
  readonly readers: StandingOfReaders;
  readonly guarded: boolean;
}

/** Readers whose permission Chrome may take away, and the switch against it. */
export function RiskSection({ app, readers: { revocation, exact }, guarded }: RiskSectionProps): ReactNode {
  const { subscribers, near, at_limit: atLimit } = revocation;
  return (
    <Section title={words.risk} description={words.riskAbout}>
      <Figures
        label={words.risk}
        figures={[
          {
            label: words.atRisk,
            value: formatShare(near + atLimit, subscribers),
            note: words.ofSubscribers(formatNumber(subscribers)),
          },
          { label: words.near, value: formatNumber(near), note: words.nearHint },
          {
            label: words.atLimit,
            value: formatNumber(atLimit),
            note: guarded ? words.atLimitGuarded : words.atLimitOpen,
          },
        ]}
      />
      <Text size="sm">
        {guarded ? words.guardOn : words.guardOff}{' '}
        <Anchor
          underline="always"
          renderRoot={(props) => (
            <Link to="/apps/$app/settings" params={{ app }} search={{ tab: 'limits' }} {...props} />
          )}
        >
          {guarded ? words.changeGuard : words.switchOn}
        </Anchor>
        {!exact && ` ${words.sampled}`}
      </Text>
    </Section>
  );
}
