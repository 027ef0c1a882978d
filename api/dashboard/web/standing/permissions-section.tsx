import type { ReactNode } from 'react';
import type { StandingOfReaders } from '../data/standing/readers-queries.ts';
import { formatNumber, formatPercent } from '../format/format.ts';
import { t } from '../texts/t.ts';
import { Figures } from '../ui/figures.tsx';
import { Section } from '../ui/section.tsx';

const words = t.standing;

/** Permissions that browsers took away, and readers who gave them again. */
export const PermissionsSection = ({
  permissions: { days, revoked, won_back: wonBack, percent },
}: {
  permissions: StandingOfReaders['permissions'];
}): ReactNode => (
  <Section title={words.permissions} description={words.permissionsAbout(formatNumber(days))}>
    <Figures
      label={words.permissions}
      figures={[
        { label: words.revoked, value: formatNumber(revoked), note: words.revokedHint },
        { label: words.wonBack, value: formatNumber(wonBack), note: words.wonBackHint },
        { label: words.wonBackShare, value: percent === null ? '–' : formatPercent(percent) },
      ]}
    />
  </Section>
);
