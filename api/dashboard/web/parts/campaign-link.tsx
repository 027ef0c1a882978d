import { Anchor } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { campaignQuery } from '../data/campaigns/queries.ts';
import { useApi } from '../data/http/services.tsx';
import { t } from '../texts/t.ts';

/** The way from a delivery to the campaign that created it. */
export function CampaignLink({ app, campaign }: { app: string; campaign: number }): ReactNode {
  const { data } = useQuery({ ...campaignQuery(useApi(), app, String(campaign)), refetchInterval: false });
  return (
    <Anchor
      size="sm"
      renderRoot={(props) => (
        <Link to="/apps/$app/campaigns/$campaign" params={{ app, campaign: String(campaign) }} {...props} />
      )}
    >
      {t.campaign.partOf(data?.name ?? String(campaign))}
    </Anchor>
  );
}
