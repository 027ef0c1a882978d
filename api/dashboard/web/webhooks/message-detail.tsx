import { Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import type { Message } from '../data/webhooks/queries.ts';
import { formatNumber, formatTime } from '../format/format.ts';
import { t } from '../texts/t.ts';
import { Snippet } from '../ui/copy.tsx';
import { Dialog } from '../ui/dialog.tsx';
import classes from './webhooks.module.css';

/** What was sent, and each answer. */
export const MessageDetail = ({
  message: { id, header_id: headerId, payload, answers },
  onClose,
}: {
  message: Message;
  onClose: () => void;
}): ReactNode => (
  <Dialog opened onClose={onClose} size="lg" title={t.webhooks.number(id)}>
    <Stack>
      <Text size="sm" className={classes.words}>
        webhook-id: {headerId}
      </Text>
      <Snippet text={JSON.stringify(payload, null, 2)} label={t.webhooks.payload} />
      <Text fw={600}>{t.webhooks.answers}</Text>
      {answers.length === 0 && <Text c="dimmed">{t.webhooks.noAnswers}</Text>}
      {answers.map(({ at, words, body, took_ms: tookMs }) => (
        <div key={at}>
          <Text size="sm" className={classes.words}>
            {formatTime(at)} · {words} · {t.webhooks.took(formatNumber(tookMs))}
          </Text>
          {body !== '' && <Snippet text={body} label={t.webhooks.answerBody(formatTime(at))} />}
        </div>
      ))}
    </Stack>
  </Dialog>
);
