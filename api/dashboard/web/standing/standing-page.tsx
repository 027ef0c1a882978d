import { Stack } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { ChartSoon } from '../charts/chart-soon.tsx';
import { useApp } from '../data/apps/use-app.ts';
import { useApi } from '../data/http/services.tsx';
import { standingQuery } from '../data/standing/queries.ts';
import { standingOfReadersQuery } from '../data/standing/readers-queries.ts';
import { t } from '../texts/t.ts';
import { Loaded } from '../ui/loading.tsx';
import { Page } from '../ui/page.tsx';
import { EpisodesSection } from './episodes-section.tsx';
import { PermissionsSection } from './permissions-section.tsx';
import { PushesSection } from './pushes-section.tsx';
import { RiskSection } from './risk-section.tsx';
import { ServicesSection } from './services-section.tsx';
import { SiteWeeksSection } from './site-weeks-section.tsx';
import { ThrottledChart } from './throttled-chart.tsx';
import { WeekSection } from './week-section.tsx';

const words = t.standing;

/** How push services and browsers treat the app, and what they judge it by. */
export function StandingPage(): ReactNode {
  const { identifier: app } = useApp();
  const api = useApi();
  const standing = useQuery(standingQuery(api, app));
  const readers = useQuery(standingOfReadersQuery(api, app));
  return (
    <Page title={t.nav.standing} description={words.description}>
      <Stack gap="lg">
        <Loaded query={standing} placeholder={<ChartSoon />}>
          {(data) => <ServicesSection standing={data} />}
        </Loaded>
        <Loaded
          query={readers}
          placeholder={
            <>
              <ChartSoon />
              <ChartSoon />
              <ChartSoon />
            </>
          }
        >
          {(data) => (
            <>
              <RiskSection
                app={app}
                readers={data}
                guarded={(standing.data?.chrome_guard ?? null) !== null}
              />
              <PermissionsSection permissions={data.permissions} />
              <WeekSection readers={data} />
              <SiteWeeksSection weeks={data.site_weeks} />
              <PushesSection app={app} pushes={data.pushes} />
            </>
          )}
        </Loaded>
        {standing.data !== undefined && (
          <>
            <ThrottledChart hours={standing.data.throttled_hours} />
            {standing.data.episodes.length > 0 && <EpisodesSection episodes={standing.data.episodes} />}
          </>
        )}
      </Stack>
    </Page>
  );
}
