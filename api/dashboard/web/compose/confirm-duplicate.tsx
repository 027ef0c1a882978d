import { Anchor, Stack, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { formatTime } from '../format/format.ts';
import { t } from '../texts/t.ts';
import { Confirm } from '../ui/confirm.tsx';
import type { Earlier } from './duplicate.ts';

const words = t.compose.duplicate;

interface Props {
  readonly app: string;
  /** Null: there is nothing to ask. */
  readonly earlier: Earlier | null;
  readonly busy: boolean;
  readonly onClose: () => void;
  readonly onConfirm: () => void;
}

/** Asks for confirmation before a story is sent twice. */
export const ConfirmDuplicate = ({ app, earlier, busy, onClose, onConfirm }: Props): ReactNode => (
  <Confirm
    opened={earlier !== null}
    onClose={onClose}
    title={words.title}
    act={words.act}
    keep={words.keep}
    busy={busy}
    onConfirm={onConfirm}
  >
    {earlier !== null && (
      <Stack gap="xs">
        <Text>{earlier.same === 'url' ? words.sameLink : words.sameTitle}</Text>
        <Anchor
          renderRoot={(props) => (
            <Link
              to="/apps/$app/deliveries/$delivery"
              params={{ app, delivery: String(earlier.delivery_id) }}
              {...props}
            />
          )}
        >
          {earlier.title}
        </Anchor>
        <Text size="sm" c="dimmed">
          {earlier.scheduled_at === null
            ? words.created(formatTime(earlier.created_at))
            : words.scheduled(formatTime(earlier.scheduled_at))}
        </Text>
      </Stack>
    )}
  </Confirm>
);
