import { Badge, Button, Group, Text } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import { useApi } from '../data/http/services.tsx';
import { type Message, messagesQuery, type Webhook } from '../data/webhooks/queries.ts';
import { formatNumber, formatTime } from '../format/format.ts';
import { toPage } from '../format/page-search.ts';
import { t } from '../texts/t.ts';
import { type Column, DataTable } from '../ui/data-table.tsx';
import { Loaded } from '../ui/loading.tsx';
import { Section } from '../ui/section.tsx';
import { toastDone, toastProblem } from '../ui/toast.ts';
import { MessageDetail } from './message-detail.tsx';
import { useActs } from './use-acts.ts';
import classes from './webhooks.module.css';

const LOOK_EVERY_MS = 2_000;

/** What was sent, newest first, with what the receiver answered. */
export function Messages({ webhook, page }: { webhook: Webhook; page: number }): ReactNode {
  const navigate = useNavigate({ from: '/settings/webhooks/$webhook' });
  const query = useQuery({
    ...messagesQuery(useApi(), String(webhook.id), page),
    // A message that was asked for is tried within seconds.
    refetchInterval: ({ state }) => (state.data?.data.some(isFresh) ? LOOK_EVERY_MS : false),
  });
  const [shown, setShown] = useState<Message | null>(null);
  return (
    <Section title={t.webhooks.messages} description={t.webhooks.messagesHint}>
      <Loaded query={query}>
        {({ data, meta }) =>
          meta.total === 0 ? (
            <Text c="dimmed">{t.webhooks.messagesEmpty}</Text>
          ) : (
            <DataTable
              label={t.webhooks.messages}
              columns={columnsFor(webhook, setShown)}
              rows={data}
              keyOf={({ id }) => id}
              paging={{ meta, onPage: (to) => void navigate({ search: toPage(to) }) }}
            />
          )
        }
      </Loaded>
      {shown !== null && <MessageDetail message={shown} onClose={() => setShown(null)} />}
    </Section>
  );
}

/** Of a webhook that is down there may be many that wait: only the first attempt is waited for. */
const isFresh = ({ state, attempts, answers }: Message): boolean =>
  state === 'waiting' && attempts <= 1 && answers.length === 0;

const stateColors: Readonly<Record<Message['state'], string>> = {
  waiting: 'indigo',
  sent: 'teal',
  failed: 'red',
};

const columnsFor = (webhook: Webhook, onShow: (message: Message) => void): readonly Column<Message>[] => [
  {
    key: 'type',
    header: t.webhooks.type,
    names: true,
    cell: ({ id, type }) => (
      <>
        {type}
        <Text size="xs" c="dimmed" fw={400}>
          {t.webhooks.number(id)}
        </Text>
      </>
    ),
  },
  { key: 'at', header: t.webhooks.at, time: true, cell: ({ created_at: at }) => formatTime(at) },
  {
    key: 'state',
    header: t.webhooks.state,
    cell: ({ state }) => (
      <Badge miw="max-content" color={stateColors[state]}>
        {t.webhooks.states[state]}
      </Badge>
    ),
  },
  {
    key: 'attempts',
    header: t.webhooks.attempts,
    numeric: true,
    cell: ({ attempts }) => formatNumber(attempts),
  },
  {
    key: 'answer',
    header: t.webhooks.lastAnswer,
    cell: ({ answers }) => <div className={classes.words}>{answers.at(-1)?.words ?? t.never}</div>,
  },
  {
    key: 'acts',
    header: t.table.acts,
    acts: true,
    cell: (message) => (
      <Group gap="xs" justify="flex-end">
        <Button
          size="xs"
          variant="default"
          aria-label={t.webhooks.showName(message.id)}
          onClick={() => onShow(message)}
        >
          {t.webhooks.show}
        </Button>
        {webhook.enabled && <Replay webhook={webhook} message={message} />}
      </Group>
    ),
  },
];

function Replay({ webhook, message: { id } }: { webhook: Webhook; message: Message }): ReactNode {
  const acts = useActs(webhook.id);
  const replay = useMutation({
    mutationFn: () => acts.replay(id),
    onSuccess: () => toastDone(t.webhooks.replayed(id)),
    onError: toastProblem,
  });
  return (
    <Button
      size="xs"
      variant="default"
      loading={replay.isPending}
      aria-label={t.webhooks.replayName(id)}
      onClick={() => replay.mutate()}
    >
      {t.webhooks.replay}
    </Button>
  );
}
