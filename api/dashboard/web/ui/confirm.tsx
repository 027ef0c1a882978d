import { Button, Group, Stack, Text, TextInput } from '@mantine/core';
import { type FormEvent, type ReactNode, useState } from 'react';
import { t } from '../texts/t.ts';
import { Dialog } from './dialog.tsx';

export interface ConfirmProps {
  readonly opened: boolean;
  readonly onClose: () => void;
  readonly title: string;
  /** The consequences, and that it cannot be undone. */
  readonly children: ReactNode;
  /** The button's text: the act itself, never `OK`. */
  readonly act: string;
  readonly onConfirm: () => void;
  /** The other button's text, where `Cancel` could be taken for the act. */
  readonly keep?: string;
  readonly busy?: boolean;
  /** The text to type before an irreversible action. */
  readonly typed?: { readonly label: string; readonly text: string };
  /** Not destructive: the accent instead of red. */
  readonly harmless?: boolean;
}

/** Asks before something that cannot be taken back. */
export function Confirm({ opened, onClose, title, ...rest }: ConfirmProps): ReactNode {
  return (
    <Dialog opened={opened} onClose={onClose} title={title}>
      <Question {...rest} onClose={onClose} />
    </Dialog>
  );
}

function Question(props: Omit<ConfirmProps, 'opened' | 'title'>): ReactNode {
  const { children, act, onConfirm, onClose, busy = false, typed, harmless = false, keep } = props;
  const [text, setText] = useState('');
  const ready = typed === undefined || text.trim() === typed.text;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (ready) onConfirm();
  };
  return (
    <form onSubmit={submit}>
      <Stack>
        <Text component="div">{children}</Text>
        {typed !== undefined && (
          <TextInput
            label={typed.label}
            value={text}
            onChange={(event) => setText(event.currentTarget.value)}
            autoComplete="off"
            data-autofocus
          />
        )}
        <Group justify="flex-end">
          <Button
            variant="default"
            onClick={onClose}
            {...(typed === undefined ? { 'data-autofocus': true } : {})}
          >
            {keep ?? t.actions.cancel}
          </Button>
          <Button type="submit" color={harmless ? 'indigo' : 'red'} disabled={!ready} loading={busy}>
            {act}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
