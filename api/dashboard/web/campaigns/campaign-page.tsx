import { Grid, Progress, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useApp } from '../data/apps/use-app.ts';
import type { FeedPlan } from '../data/campaigns/feeds/resource.ts';
import { planOf } from '../data/campaigns/plan.ts';
import { type CampaignDetail, campaignQuery } from '../data/campaigns/queries.ts';
import { endedOf, isOpen } from '../data/campaigns/status.ts';
import { nextInWords, planInWords } from '../data/campaigns/words.ts';
import { useApi } from '../data/http/services.tsx';
import { formatNumber } from '../format/format.ts';
import { ApprovalNote } from '../parts/approval-note.tsx';
import { t } from '../texts/t.ts';
import { Figures } from '../ui/figures.tsx';
import { Loaded } from '../ui/loading.tsx';
import { Page } from '../ui/page.tsx';
import { Section } from '../ui/section.tsx';
import { Badges } from './badges.tsx';
import { CampaignActs as Acts } from './campaign-acts.tsx';
import { DeliveriesSection } from './deliveries-section.tsx';
import { DraftsSection } from './feeds/drafts-section.tsx';
import { FeedSection } from './feeds/feed-section.tsx';
import { FeedTrouble } from './feeds/feed-trouble.tsx';
import { NotificationsSection } from './notifications-section.tsx';
import { StepsSection } from './steps-section.tsx';
import { TestSection } from './test-section.tsx';

const words = t.campaign;

/** One campaign: what it does next, what it has created, and how that did. */
export function CampaignPage(): ReactNode {
  const app = useApp();
  const { identifier } = app;
  const { campaign: id } = useParams({ from: '/in/apps/$app/campaigns/$campaign' });
  const query = useQuery(campaignQuery(useApi(), identifier, id));
  const { data } = query;
  return (
    <Page
      title={data?.name ?? t.nav.campaigns}
      crumbs={[
        { label: t.nav.campaigns, to: '/apps/$app/campaigns', params: { app: identifier } },
        ...(data === undefined || data.parent_id === null
          ? []
          : [
              {
                label: words.parent(data.parent_id),
                to: '/apps/$app/campaigns/$campaign' as const,
                params: { app: identifier, campaign: String(data.parent_id) },
              },
            ]),
      ]}
      description={data && <Badges campaign={data} />}
      actions={data && <Acts app={identifier} campaign={data} />}
    >
      <Loaded query={query}>
        {(campaign) => (
          <Grid gap="lg">
            <Grid.Col span={{ base: 12, lg: 7 }}>
              <Stack gap="lg">
                {campaign.kind === 'feed' && <FeedTrouble campaign={campaign} />}
                <ApprovalNote
                  subject={{ ...campaign, kind: 'campaign' }}
                  waits={campaign.status === 'scheduled'}
                />
                <NextSection campaign={campaign} />
                {campaign.deliveries > 0 && <Counts campaign={campaign} />}
                {campaign.kind === 'feed' && <DraftsSection app={identifier} campaign={campaign} />}
                {campaign.kind === 'ab_test' && <TestSection app={identifier} campaign={campaign} />}
                <DeliveriesSection app={identifier} campaign={campaign} />
              </Stack>
            </Grid.Col>
            <Grid.Col span={{ base: 12, lg: 5 }}>
              <Stack gap="lg">
                {campaign.kind === 'feed' && (
                  <FeedSection campaign={campaign} plan={campaign.plan as unknown as FeedPlan} />
                )}
                <StepsSection app={identifier} campaign={campaign} />
                <NotificationsSection app={app} notifications={campaign.notifications} />
              </Stack>
            </Grid.Col>
          </Grid>
        )}
      </Loaded>
    </Page>
  );
}

function NextSection({ campaign }: { campaign: CampaignDetail }): ReactNode {
  const { total_subscribers: total, deliveries } = campaign;
  const ended = endedOf(campaign);
  return (
    <Section title={isOpen(campaign) ? words.next : words.state}>
      <Text fw={600} role="status">
        {nextInWords(campaign)}
      </Text>
      <Text size="sm" c="dimmed">
        {planInWords(planOf(campaign))}
      </Text>
      {deliveries > 0 && ended < total && (
        <Progress
          value={(100 * ended) / total}
          aria-label={t.campaigns.progress(formatNumber(ended), formatNumber(total))}
        />
      )}
    </Section>
  );
}

const Counts = ({ campaign }: { campaign: CampaignDetail }): ReactNode => (
  <Figures
    label={words.counts}
    figures={[
      { label: t.nav.deliveries, value: formatNumber(campaign.deliveries) },
      { label: t.deliveries.audience, value: formatNumber(campaign.total_subscribers) },
      { label: t.deliveries.accepted, value: formatNumber(campaign.success_count) },
      {
        label: t.deliveries.clicks,
        value: campaign.click_count === null ? '–' : formatNumber(campaign.click_count),
      },
    ]}
  />
);
