import { Anchor, Badge, Button, Group, Image, Paper, Stack, Text } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { ForRole } from '../../data/account/for-role.tsx';
import { dismissDraft } from '../../data/campaigns/feeds/queries.ts';
import type { DraftProps } from '../../data/campaigns/feeds/resource.ts';
import { useApi } from '../../data/http/services.tsx';
import { formatTime } from '../../format/format.ts';
import { t } from '../../texts/t.ts';
import { Confirm } from '../../ui/confirm.tsx';
import { useCampaignAct } from '../use-campaign-act.ts';
import { ApproveDialog } from './approve-dialog.tsx';

const words = t.feeds;

/** One draft: what it would say, and the two decisions about it. */
export function DraftCard({ app, campaign, item }: DraftProps): ReactNode {
  const [asked, setAsked] = useState<'approve' | 'dismiss' | null>(null);
  const api = useApi();
  const close = (): void => setAsked(null);
  const dismiss = useCampaignAct(app, () => dismissDraft(api, app, { campaign, item: item.id }), {
    done: words.dismissed,
    settled: close,
  });
  const link = URL.parse(item.url);
  return (
    <Paper withBorder p="sm" component="li">
      <Stack gap={6}>
        <Group gap="xs" justify="space-between" wrap="nowrap" align="start">
          <Text fw={600} style={{ overflowWrap: 'anywhere' }}>
            {item.title}
          </Text>
          {item.items > 1 && (
            <Badge miw="max-content" variant="default">
              {words.sumsUp(item.items)}
            </Badge>
          )}
        </Group>
        <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
          {item.body}
        </Text>
        {item.image_url !== undefined && (
          <Image
            src={item.image_url}
            alt={t.preview.image}
            mah={160}
            fit="contain"
            radius="sm"
            style={{ objectPosition: 'left' }}
          />
        )}
        <Text size="xs" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
          {words.found(formatTime(item.created_at))}{' '}
          <Anchor href={item.url} target="_blank" rel="noreferrer" inherit underline="always">
            {link === null ? item.url : `${link.host}${link.pathname}`}
          </Anchor>
        </Text>
        <Decide title={item.title} onAsk={setAsked} />
      </Stack>
      <ApproveDialog opened={asked === 'approve'} onClose={close} app={app} campaign={campaign} item={item} />
      <Confirm
        opened={asked === 'dismiss'}
        onClose={close}
        title={words.dismissTitle}
        act={words.dismissAct}
        busy={dismiss.isPending}
        onConfirm={() => dismiss.mutate(undefined)}
      >
        {words.dismissAbout(item.title)}
      </Confirm>
    </Paper>
  );
}

interface DecideProps {
  readonly title: string;
  readonly onAsk: (what: 'approve' | 'dismiss') => void;
}

const Decide = ({ title, onAsk }: DecideProps): ReactNode => (
  <ForRole least="approver">
    <Group gap="xs" mt={4}>
      <Button size="xs" aria-label={words.approveItem(title)} onClick={() => onAsk('approve')}>
        {words.approve}
      </Button>
      <Button
        size="xs"
        variant="default"
        aria-label={words.dismissItem(title)}
        onClick={() => onAsk('dismiss')}
      >
        {words.dismiss}
      </Button>
    </Group>
  </ForRole>
);
