import { Badge, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import type { Webhook } from '../data/webhooks/queries.ts';
import { formatTime } from '../format/format.ts';
import { t } from '../texts/t.ts';
import classes from './webhooks.module.css';

/** With the reason where Broadside disabled it; a person's doing needs none. */
export function Status({ webhook }: { webhook: Webhook }): ReactNode {
  const { enabled, disabled_reason: reason, failing_since: since } = webhook;
  const isFailing = enabled && since !== null;
  const words = enabled ? (isFailing ? t.webhooks.failing : t.webhooks.enabled) : t.webhooks.disabled;
  const note = isFailing ? t.webhooks.failingSince(formatTime(since)) : reason;
  return (
    <>
      <Badge miw="max-content" color={enabled ? (isFailing ? 'yellow' : 'teal') : 'red'}>
        {words}
      </Badge>
      {note !== null && (
        <Text size="xs" className={classes.words}>
          {note}
        </Text>
      )}
    </>
  );
}
