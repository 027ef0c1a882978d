import { Anchor, Button, Stack } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { type ReactNode, useDeferredValue, useEffect, useState } from 'react';
import { ForRole } from '../data/account/for-role.tsx';
import { appQuery } from '../data/apps/queries.ts';
import { useApp } from '../data/apps/use-app.ts';
import { useApi } from '../data/http/services.tsx';
import { limitsOf, standingQuery } from '../data/standing/queries.ts';
import { lazyPart } from '../frame/lazy-part.tsx';
import { t } from '../texts/t.ts';
import { InSlices } from '../ui/in-slices.tsx';
import { InTurn } from '../ui/in-turn.tsx';
import { Lines } from '../ui/loading.tsx';
import { Page } from '../ui/page.tsx';
import { LastSent } from './last-sent.tsx';
import { NeedsSection, useNeeds } from './needs-section.tsx';
import { ReadersSection } from './readers-section.tsx';
import { ScheduledSection } from './scheduled-section.tsx';
import { Setup } from './setup.tsx';

const LimitNote = lazyPart(() => import('../parts/limit-note.tsx'));

/** A view of the app while one waits for the first browser is worth more often than the usual. */
const LOOK_AGAIN_MS = 5_000;

/** Where the day begins: what needs somebody, how many readers, how the last ones did, what comes next. */
export function OverviewPage(): ReactNode {
  const app = useApp();
  const api = useApi();
  const waiting = app.first_browser_at === null;
  useQuery({ ...appQuery(api, app.identifier), refetchInterval: waiting ? LOOK_AGAIN_MS : false });
  const isEmpty = app.subscriber_count === 0;
  return (
    <Page
      title={app.name}
      description={
        <Anchor href={app.site_domain} target="_blank" rel="noreferrer">
          {app.site_domain}
        </Anchor>
      }
      actions={
        !isEmpty && (
          <ForRole least="author">
            <ComposeButton app={app.identifier} />
          </ForRole>
        )
      }
    >
      {isEmpty ? <Setup /> : <Filled app={app.identifier} />}
    </Page>
  );
}

/** For what stands above: longer only where ClickHouse does not answer. */
const MOST_WAIT_MS = 1_500;

/** The timer runs only while it waits: it has the whole page drawn again. */
function useIsLate(isWaiting: boolean): boolean {
  const [isLate, setLate] = useState(false);
  useEffect(() => {
    if (!isWaiting) return;
    const timer = setTimeout(() => setLate(true), MOST_WAIT_MS);
    return () => clearTimeout(timer);
  }, [isWaiting]);
  return isLate;
}

function Filled({ app }: { app: string }): ReactNode {
  const { needs, areKnown } = useNeeds(app);
  const standing = useQuery(standingQuery(useApi(), app));
  // Both stand above all else, which would jump down when they come.
  const isWaiting = !areKnown || standing.isPending;
  const isLate = useIsLate(isWaiting);
  if (isWaiting && !isLate) return <Lines />;
  return (
    <InSlices placeholder={<Lines />}>
      <Stack gap="lg">
        <InTurn>
          {[
            () => (
              <>
                <LimitedNow app={app} limits={limitsOf(standing.data)} />
                <NeedsSection needs={needs} />
                <ReadersSection />
              </>
            ),
            () => <LastSent />,
            () => (
              <>
                <ScheduledSection />
                <Setup onlyWhereOpen />
              </>
            ),
          ]}
        </InTurn>
      </Stack>
    </InSlices>
  );
}

/** Deferred: the page waits for the note's code, and shows what it showed meanwhile, instead of jumping down later. */
function LimitedNow({ app, limits }: { app: string; limits: ReturnType<typeof limitsOf> }): ReactNode {
  const shown = useDeferredValue(limits);
  return shown.length > 0 && <LimitNote app={app} limits={shown} />;
}

const ComposeButton = ({ app }: { app: string }): ReactNode => (
  <Button renderRoot={(props) => <Link to="/apps/$app/compose" params={{ app }} {...props} />}>
    {t.overview.compose}
  </Button>
);
