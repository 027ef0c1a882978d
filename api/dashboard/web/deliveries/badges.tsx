import { Badge, Group } from '@mantine/core';
import type { ReactNode } from 'react';
import { t } from '../texts/t.ts';
import type { ListedDelivery } from './queries.ts';
import { statusColors } from './status.ts';

export const StatusBadge = ({ status }: Pick<ListedDelivery, 'status'>): ReactNode => (
  <Badge miw="max-content" color={statusColors[status]}>
    {t.deliveries.statuses[status]}
  </Badge>
);

/** Where a delivery stands, and what sets it apart from others. */
export const Badges = ({
  delivery: { status, rehearsal, lane },
}: {
  delivery: Pick<ListedDelivery, 'status' | 'rehearsal' | 'lane'>;
}): ReactNode => (
  <Group gap={6} component="span" display="inline-flex">
    <StatusBadge status={status} />
    {rehearsal && (
      <Badge miw="max-content" color="violet">
        {t.deliveries.rehearsal}
      </Badge>
    )}
    {lane === 'breaking' && (
      <Badge miw="max-content" color="orange">
        {t.deliveries.breaking}
      </Badge>
    )}
  </Group>
);
