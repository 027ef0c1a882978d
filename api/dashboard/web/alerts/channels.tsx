import { Badge, Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import type { Channel } from '../data/alerts/queries.ts';
import { formatAgo } from '../format/format.ts';
import { t } from '../texts/t.ts';
import { type Column, DataTable } from '../ui/data-table.tsx';
import classes from './alerts.module.css';
import { ChannelActs } from './channel-acts.tsx';
import type { Tested } from './test-result.tsx';

export interface ChannelsProps {
  /** Undefined while loading. */
  readonly channels: readonly Channel[] | undefined;
  readonly onTested: (tested: Tested) => void;
}

export const Channels = ({ channels, onTested }: ChannelsProps): ReactNode => (
  <DataTable
    label={t.alerts.channels}
    columns={columnsFor(onTested)}
    rows={channels}
    keyOf={({ id }) => id}
  />
);

const columnsFor = (onTested: ChannelsProps['onTested']): readonly Column<Channel>[] => [
  {
    key: 'address',
    header: t.alerts.address,
    names: true,
    cell: ({ id, kind, address }) => (
      <div className={classes.words}>
        {address}
        <Text size="xs" c="dimmed" fw={400}>
          {t.alerts.kinds[kind]} · {t.alerts.number(id)}
        </Text>
      </div>
    ),
  },
  {
    key: 'wanted',
    header: t.alerts.wanted,
    cell: ({ alert_kinds: kinds }) => (
      <Stack gap={2}>
        {kinds.map((kind) => (
          <Text key={kind} size="sm">
            {t.alerts.labels[kind]}
          </Text>
        ))}
      </Stack>
    ),
  },
  { key: 'status', header: t.alerts.status, cell: (channel) => <Status channel={channel} /> },
  {
    key: 'answer',
    header: t.alerts.lastAnswer,
    cell: ({ last_answer: answer, last_at: at }) =>
      at === null ? (
        t.never
      ) : (
        <div className={classes.words}>
          {answer}
          <Text size="xs" c="dimmed">
            {formatAgo(at)}
          </Text>
        </div>
      ),
  },
  {
    key: 'acts',
    header: t.table.acts,
    acts: true,
    cell: (channel) => <ChannelActs channel={channel} onTested={onTested} />,
  },
];

/** With the reason where Broadside disabled it; a person's doing needs none. */
const Status = ({ channel: { enabled, disabled_reason: reason } }: { channel: Channel }): ReactNode => (
  <>
    <Badge miw="max-content" color={enabled ? 'teal' : 'red'}>
      {enabled ? t.alerts.enabled : t.alerts.disabled}
    </Badge>
    {reason !== null && (
      <Text size="xs" className={classes.words}>
        {reason}
      </Text>
    )}
  </>
);
