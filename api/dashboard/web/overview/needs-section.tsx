import { Alert, Anchor, List } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useMay } from '../data/account/for-role.tsx';
import { useMe } from '../data/account/use-me.ts';
import { lastDays } from '../data/analytics/period.ts';
import { servicesQuery } from '../data/analytics/queries.ts';
import { newestCampaignsQuery, recentQuery } from '../data/apps/overview-queries.ts';
import { useApp } from '../data/apps/use-app.ts';
import { type Draft, draftsQuery } from '../data/drafts/queries.ts';
import { useApi } from '../data/http/services.tsx';
import { formatNumber } from '../format/format.ts';
import { t } from '../texts/t.ts';
import { IconAlertTriangle } from '../ui/icons.ts';
import { campaignNeedsOf, draftNeedsOf, isFor, type Need, needsOf } from './needs.ts';

const words = t.overview.needs;
const DAYS = 2;
/** Those that were saved last. */
const DRAFTS = 100;

export interface Needs {
  readonly needs: readonly Need[];
  /** False while something is still asked for. */
  readonly areKnown: boolean;
}

export function useNeeds(app: string): Needs {
  const api = useApi();
  const recent = useQuery(recentQuery(api, app));
  const services = useQuery(servicesQuery(api, app, lastDays(DAYS)));
  const campaigns = useQuery(newestCampaignsQuery(api, app));
  const drafts = useQuery(draftsQuery(api, app, 'draft', 1, DRAFTS)).data?.data ?? [];
  const { user } = useMe();
  const { approval: rule } = useApp();
  const approves = useMay('approver');
  return {
    needs: [
      ...draftNeedsOf(drafts, user.email),
      ...needsOf(recent.data?.data ?? [], services.data?.push_services ?? [], Date.now()),
      ...campaignNeedsOf(campaigns.data?.data ?? []),
    ].filter((need) => isFor({ email: user.email, approves, rule }, need)),
    areKnown: !recent.isPending && !services.isPending && !campaigns.isPending,
  };
}

/** What somebody has to check; nothing where all is well. */
export function NeedsSection({ needs }: { needs: readonly Need[] }): ReactNode {
  const { identifier } = useApp();
  if (needs.length === 0) return null;
  return (
    <Alert color="yellow" title={words.title} icon={<IconAlertTriangle aria-hidden />}>
      <List spacing={4} listStyleType="none">
        {needs.map((need) => (
          <List.Item key={`${need.kind} ${subjectOf(need)}`}>
            <Words need={need} app={identifier} />
          </List.Item>
        ))}
      </List>
    </Alert>
  );
}

function subjectOf(need: Need): string | number {
  if ('delivery' in need) return need.delivery.id;
  if ('draft' in need) return need.draft.id;
  return 'campaign' in need ? need.campaign.id : need.service;
}

function Words({ need, app }: { need: Need; app: string }): ReactNode {
  if (need.kind === 'service' || need.kind === 'throttled') {
    const service = t.delivery.serviceNames[need.service];
    return (
      <>
        {need.kind === 'service'
          ? words.service(service, formatNumber(need.failed))
          : words.throttled(service, need.times, formatNumber(need.times))}{' '}
        <Anchor
          underline="always"
          c="inherit"
          renderRoot={(props) => <Link to="/apps/$app/analytics" params={{ app }} {...props} />}
        >
          {t.nav.analytics}
        </Anchor>
      </>
    );
  }
  if ('draft' in need) return <DraftWords draft={need.draft} app={app} />;
  if ('campaign' in need) return <CampaignWords need={need} app={app} />;
  const { delivery, kind } = need;
  return (
    <>
      <Anchor
        underline="always"
        c="inherit"
        fw={600}
        renderRoot={(props) => (
          <Link
            to="/apps/$app/deliveries/$delivery"
            params={{ app, delivery: String(delivery.id) }}
            {...props}
          />
        )}
      >
        {delivery.title}
      </Anchor>{' '}
      {kind === 'held' ? t.approvals.needs : words[kind]}
    </>
  );
}

const DraftWords = ({ draft, app }: { draft: Draft; app: string }): ReactNode => (
  <>
    <Anchor
      underline="always"
      c="inherit"
      fw={600}
      renderRoot={(props) => (
        <Link to="/apps/$app/compose" params={{ app }} search={{ draft: draft.id }} {...props} />
      )}
    >
      {draft.name}
    </Anchor>{' '}
    {words.handed}
    {draft.comment !== '' &&
      ` ${draft.assigned_by_name === null ? '' : `${draft.assigned_by_name}: `}“${draft.comment}”`}
  </>
);

type CampaignNeed = Extract<Need, { readonly campaign: unknown }>;

const CampaignWords = ({ need: { campaign, kind }, app }: { need: CampaignNeed; app: string }): ReactNode => (
  <>
    <Anchor
      underline="always"
      c="inherit"
      fw={600}
      renderRoot={(props) => (
        <Link
          to="/apps/$app/campaigns/$campaign"
          params={{ app, campaign: String(campaign.id) }}
          {...props}
        />
      )}
    >
      {campaign.name}
    </Anchor>{' '}
    {kind === 'drafts'
      ? words.drafts(campaign.feed?.drafts ?? 0)
      : kind === 'held'
        ? t.approvals.needs
        : words[kind]}
  </>
);
