import { Badge, Group } from '@mantine/core';
import type { ReactNode } from 'react';
import type { ListedDelivery } from '../data/deliveries/queries.ts';
import { isHeld, type Status, shownStatus, statusColors } from '../data/deliveries/status.ts';
import { t } from '../texts/t.ts';

type Shown = Pick<
  ListedDelivery,
  'status' | 'rehearsal' | 'test' | 'lane' | 'total_subscribers' | 'failed_count' | 'gone_count' | 'approval'
>;

const isEnded = (status: Status): boolean => status === 'success' || status === 'partial';

const StatusBadge = ({ delivery }: { delivery: Shown }): ReactNode => {
  if (isHeld(delivery))
    return (
      <Badge miw="max-content" color={delivery.approval?.state === 'declined' ? 'orange' : 'grape'}>
        {delivery.approval?.state === 'declined' ? t.approvals.back : t.approvals.waits}
      </Badge>
    );
  const status = shownStatus(delivery);
  // Nothing of a rehearsal was sent: once it is over, it reads as what it was.
  const isOver = delivery.rehearsal && isEnded(status);
  return isOver ? (
    <Badge miw="max-content" color="gray">
      {t.deliveries.rehearsal}
    </Badge>
  ) : (
    <Badge miw="max-content" color={statusColors[status]}>
      {t.deliveries.statuses[status]}
    </Badge>
  );
};

/** A delivery's status and its marks. */
export const Badges = ({ delivery }: { delivery: Shown }): ReactNode => (
  <Group gap={6} component="span" display="inline-flex">
    <StatusBadge delivery={delivery} />
    {delivery.rehearsal && !isEnded(shownStatus(delivery)) && (
      <Badge miw="max-content" color="gray">
        {t.deliveries.rehearsal}
      </Badge>
    )}
    {delivery.test && (
      <Badge miw="max-content" color="gray">
        {t.deliveries.test}
      </Badge>
    )}
    {delivery.lane === 'breaking' && !delivery.test && (
      <Badge miw="max-content" color="orange">
        {t.deliveries.breaking}
      </Badge>
    )}
  </Group>
);
