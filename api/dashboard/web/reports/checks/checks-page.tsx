import { Link, useSearch } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import { t } from '../../texts/t.ts';
import type { PeriodDraft } from '../options.tsx';
import { daysOf } from '../periods.ts';
import { newReport } from '../report.ts';
import classes from '../saved-tabs.module.css';
import { TokenPage } from '../token-page.tsx';
import { useReports } from '../use-reports.ts';
import { Days } from './days.tsx';
import { Differences } from './differences.tsx';
import { Unusual } from './unusual.tsx';
import { checkViews } from './views.ts';

const words = t.reportChecks;

/** Whether figures can be relied on: what differs, what is unusual, and what changed. */
export const ChecksPage = (): ReactNode => (
  <TokenPage
    title={words.title}
    description={words.description}
    crumbs={[{ label: t.nav.reports, to: '/reports' }]}
  >
    {(token, onRefused) => <Checks token={token} onRefused={onRefused} />}
  </TokenPage>
);

const views = { differences: Differences, unusual: Unusual, days: Days } as const;

function Checks({ token, onRefused }: { token: string; onRefused: () => void }): ReactNode {
  const { view = 'differences' } = useSearch({ from: '/in/reports/checks' });
  const { ask } = useReports(token);
  const [draft, setDraft] = useState<PeriodDraft>(() => ({
    ...newReport(),
    period: 'last-7',
    ...daysOf('last-7', 'UTC'),
  }));
  const View = views[view];
  return (
    <>
      <nav aria-label={words.title} className={classes.tabs}>
        {checkViews.map((each) => (
          <Link
            key={each}
            to="/reports/checks"
            search={{ view: each }}
            className={classes.tab}
            aria-current={each === view ? 'page' : undefined}
          >
            {words.views[each]}
          </Link>
        ))}
      </nav>
      <View token={token} ask={ask} draft={draft} onChange={setDraft} onRefused={onRefused} />
    </>
  );
}
