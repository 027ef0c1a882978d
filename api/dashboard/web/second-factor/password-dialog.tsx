import { PasswordInput, Text } from '@mantine/core';
import { useForm } from '@mantine/form';
import type { ReactNode } from 'react';
import { FormModal } from '../shell/form-modal.tsx';
import { t } from '../texts/t.ts';

interface Props {
  readonly title: string;
  readonly text: string;
  readonly act: string;
  readonly run: (values: { current_password: string }) => Promise<unknown>;
  readonly onClose: () => void;
}

/** Asks for the password again. */
export function PasswordDialog({ title, text, act, run, onClose }: Props): ReactNode {
  const form = useForm({
    initialValues: { current_password: '' },
    validate: { current_password: (password) => (password === '' ? t.account.currentMissing : null) },
  });
  // What `run` shows next takes its place.
  return (
    <FormModal opened onClose={onClose} title={title} form={form} act={act} run={run} onDone={() => {}}>
      <Text size="sm">{text}</Text>
      <PasswordInput
        label={t.account.current}
        required
        data-autofocus
        autoComplete="current-password"
        {...form.getInputProps('current_password')}
      />
    </FormModal>
  );
}
