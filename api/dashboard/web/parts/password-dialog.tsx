import { Text } from '@mantine/core';
import { useForm } from '@mantine/form';
import type { ReactNode } from 'react';
import { useMe } from '../data/account/use-me.ts';
import { t } from '../texts/t.ts';
import { FormModal } from '../ui/form-modal.tsx';
import { OwnPassword } from './own-password.tsx';

interface Props {
  readonly title: string;
  readonly text: string;
  readonly act: string;
  /** Without a password where the user has none. */
  readonly run: (values: { current_password?: string }) => Promise<unknown>;
  readonly onClose: () => void;
}

/** Asks for the password again. */
export function PasswordDialog({ title, text, act, run, onClose }: Props): ReactNode {
  const needsPassword = useMe().has_password;
  const form = useForm({
    initialValues: { current_password: '' },
    validate: {
      current_password: (password) => (needsPassword && password === '' ? t.account.currentMissing : null),
    },
  });
  // What `run` shows next takes its place.
  return (
    <FormModal
      opened
      onClose={onClose}
      title={title}
      form={form}
      act={act}
      run={(values) => run(needsPassword ? values : {})}
      onDone={() => {}}
    >
      <Text size="sm">{text}</Text>
      <OwnPassword data-autofocus {...form.getInputProps('current_password')} />
    </FormModal>
  );
}
