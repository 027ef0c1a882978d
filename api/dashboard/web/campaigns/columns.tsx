import { Anchor, Progress, Stack, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { Campaign } from '../data/campaigns/queries.ts';
import { timesInWords } from '../data/campaigns/times-in-words.ts';
import { formatNumber } from '../format/format.ts';
import { t } from '../texts/t.ts';
import type { Column } from '../ui/data-table.tsx';
import { StatusBadge } from './badges.tsx';

const words = t.campaigns;

export const columnsOf = (app: string): readonly Column<Campaign>[] => [
  { key: 'name', header: words.name, names: true, cell: (campaign) => <Name app={app} {...campaign} /> },
  { key: 'kind', header: words.kind, cell: ({ kind }) => words.kinds[kind] },
  { key: 'status', header: words.status, cell: (campaign) => <StatusBadge campaign={campaign} /> },
  { key: 'next', header: words.next, cell: nextOf },
  {
    key: 'deliveries',
    header: t.nav.deliveries,
    numeric: true,
    cell: ({ deliveries }) => formatNumber(deliveries),
  },
  { key: 'sent', header: words.accepted, numeric: true, cell: (campaign) => <Sent {...campaign} /> },
];

const nextOf = (campaign: Campaign): string => {
  const { status, next_step_at, feed } = campaign;
  if (status === 'deciding') return words.nextByYou;
  if (feed !== null && feed.drafts > 0) return t.feeds.draftsWait(feed.drafts);
  return next_step_at === null ? '–' : timesInWords(campaign, next_step_at);
};

const Name = ({ app, id, name, notifications }: Campaign & { app: string }): ReactNode => {
  const title = notifications[0]?.title ?? name;
  return (
    <>
      <Anchor
        renderRoot={(props) => (
          <Link to="/apps/$app/campaigns/$campaign" params={{ app, campaign: String(id) }} {...props} />
        )}
      >
        {name}
      </Anchor>
      {title !== name && (
        <Text size="xs" c="dimmed">
          {title}
        </Text>
      )}
    </>
  );
};

/** How far its deliveries are: those to come have no readers yet. */
function Sent({ total_subscribers: total, success_count, failed_count }: Campaign): ReactNode {
  const ended = success_count + failed_count;
  if (total === 0) return '–';
  return (
    <Stack gap={4}>
      <span>{words.of(formatNumber(success_count), formatNumber(total))}</span>
      {ended < total && (
        <Progress
          size="xs"
          value={(100 * ended) / total}
          aria-label={words.progress(formatNumber(ended), formatNumber(total))}
        />
      )}
    </Stack>
  );
}
