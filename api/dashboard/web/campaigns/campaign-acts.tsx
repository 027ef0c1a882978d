import { Button, Group } from '@mantine/core';
import { Link, useNavigate } from '@tanstack/react-router';
import { type ReactNode, useCallback } from 'react';
import { ForRole } from '../data/account/for-role.tsx';
import { useMayWrite } from '../data/approvals/use-may-write.ts';
import type { CampaignDetail } from '../data/campaigns/queries.ts';
import { endedOf, isOpen } from '../data/campaigns/status.ts';
import { usePageAct } from '../frame/use-page-act.ts';
import { t } from '../texts/t.ts';
import { CancelButton } from './cancel-button.tsx';

const words = t.campaign;

interface Props {
  readonly app: string;
  readonly campaign: CampaignDetail;
}

/** What one can do to a campaign now. */
export function CampaignActs({ app, campaign }: Props): ReactNode {
  const mayWrite = useMayWrite(campaign.approval);
  // A feed sends by itself.
  const writes = campaign.kind === 'feed' ? 'approver' : 'author';
  return (
    <Group gap="xs">
      {isChangeable(campaign) && mayWrite && <ChangeButton app={app} campaign={campaign} />}
      {isLikeable(campaign) && (
        <ForRole least={writes}>
          <DuplicateButton app={app} campaign={campaign} />
        </ForRole>
      )}
      {isCancellable(campaign) && mayWrite && <CancelButton app={app} campaign={campaign} />}
    </Group>
  );
}

/** A feed while it runs; the others until their first step. */
const isChangeable = (campaign: CampaignDetail): boolean =>
  campaign.kind === 'feed' ? isOpen(campaign) : campaign.status === 'scheduled' && isLikeable(campaign);

/** What waits for the end of quiet hours, and a firing by local time, are parts of something else. */
const isLikeable = ({ kind, parent_id }: CampaignDetail): boolean =>
  kind !== 'quiet_hours' && parent_id === null;

/** Its deliveries may still be sent once it creates none any more. */
const isCancellable = (campaign: CampaignDetail): boolean =>
  isOpen(campaign) || (campaign.status === 'completed' && endedOf(campaign) < campaign.total_subscribers);

function ChangeButton({ app, campaign: { id, kind } }: Props): ReactNode {
  const link = linkToChange(app, kind, id);
  const navigate = useNavigate();
  const go = useCallback(() => void navigate(linkToChange(app, kind, id)), [navigate, app, kind, id]);
  usePageAct(words.changeThis, go);
  return (
    <Button variant="default" renderRoot={(props) => <Link {...link} {...props} />}>
      {words.change}
    </Button>
  );
}

function DuplicateButton({ app, campaign: { id, kind } }: Props): ReactNode {
  const link = linkToLike(app, kind, id);
  const navigate = useNavigate();
  const go = useCallback(() => void navigate(linkToLike(app, kind, id)), [navigate, app, kind, id]);
  usePageAct(words.duplicateThis, go);
  return (
    <Button variant="default" renderRoot={(props) => <Link {...link} {...props} />}>
      {t.delivery.duplicate}
    </Button>
  );
}

const linkToChange = (app: string, kind: CampaignDetail['kind'], id: number) =>
  kind === 'feed'
    ? ({ to: '/apps/$app/feeds/$campaign', params: { app, campaign: String(id) } } as const)
    : ({ to: '/apps/$app/compose', params: { app }, search: { change: id } } as const);

const linkToLike = (app: string, kind: CampaignDetail['kind'], id: number) =>
  kind === 'feed'
    ? ({ to: '/apps/$app/feeds/new', params: { app }, search: { like: id } } as const)
    : ({ to: '/apps/$app/compose', params: { app }, search: { like: id } } as const);
