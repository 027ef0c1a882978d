import { Alert } from '@mantine/core';
import type { ReactNode } from 'react';
import type { Feed } from '../../data/campaigns/feeds/resource.ts';
import { isOpen } from '../../data/campaigns/status.ts';
import { formatTime } from '../../format/format.ts';
import { t } from '../../texts/t.ts';
import { IconRss } from '../../ui/icons.ts';

const words = t.feeds;

/** Why a feed cannot be read, and since when; nothing where all is well. */
export function FeedTrouble({ campaign }: { campaign: Feed }): ReactNode {
  const { feed, error_message: trouble } = campaign;
  if (trouble === null || !isOpen(campaign)) return null;
  return (
    <Alert color="orange" icon={<IconRss aria-hidden />} title={words.unreadable} role="status">
      {trouble} {feed?.failing_since && words.failingSince(formatTime(feed.failing_since))}
    </Alert>
  );
}
