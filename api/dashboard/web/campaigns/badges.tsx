import { Badge, Group } from '@mantine/core';
import type { ReactNode } from 'react';
import type { Campaign } from '../data/campaigns/queries.ts';
import { isHeld, shownStatus, statusColors } from '../data/campaigns/status.ts';
import { t } from '../texts/t.ts';

const words = t.campaigns;

/** A campaign's kind, its status and its marks. */
export const Badges = ({ campaign }: { campaign: Campaign }): ReactNode => (
  <Group gap={6} component="span" display="inline-flex">
    <StatusBadge campaign={campaign} />
    <Badge miw="max-content" variant="default">
      {words.kinds[campaign.kind]}
    </Badge>
    {campaign.rehearsal && (
      <Badge miw="max-content" color="gray">
        {t.deliveries.rehearsal}
      </Badge>
    )}
  </Group>
);

export const StatusBadge = ({ campaign }: { campaign: Campaign }): ReactNode => {
  const { approval } = campaign;
  const status = shownStatus(campaign);
  const held = approval?.state === 'declined' ? t.approvals.back : t.approvals.waits;
  return (
    <Badge miw="max-content" color={statusColors[status]}>
      {isHeld(campaign) ? held : words.statuses[status]}
    </Badge>
  );
};
