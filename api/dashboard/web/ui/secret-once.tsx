import { Alert, Button, Group, Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { Snippet } from './copy.tsx';
import { Dialog } from './dialog.tsx';

export interface SecretOnceProps {
  readonly secret: string;
  readonly words: {
    readonly secretTitle: string;
    readonly secret: string;
    /** That it is never shown again. */
    readonly once: string;
    readonly secretUse: string;
    readonly kept: string;
  };
  readonly onClose: () => void;
}

/** A secret that is shown once. */
export const SecretOnce = ({ secret, words, onClose }: SecretOnceProps): ReactNode => (
  <Dialog
    opened
    onClose={onClose}
    size="lg"
    title={words.secretTitle}
    // One click beside it would lose the secret permanently.
    closeOnClickOutside={false}
    withCloseButton={false}
  >
    <Stack>
      <Alert color="yellow">{words.once}</Alert>
      <Snippet text={secret} label={words.secret} />
      <Text size="sm">{words.secretUse}</Text>
      <Group justify="flex-end">
        <Button onClick={onClose}>{words.kept}</Button>
      </Group>
    </Stack>
  </Dialog>
);
