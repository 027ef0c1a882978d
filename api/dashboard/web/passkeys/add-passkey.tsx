import { useForm } from '@mantine/form';
import type { ReactNode } from 'react';
import { dataOf } from '../http/api.ts';
import { useApi } from '../http/services.tsx';
import { OwnPassword } from '../second-factor/own-password.tsx';
import { useMe } from '../session/use-me.ts';
import { FormModal } from '../shell/form-modal.tsx';
import { t } from '../texts/t.ts';
import { Cancelled, makePasskey } from './browser.ts';
import { NameInput } from './rename-passkey.tsx';

const words = t.passkeys;

interface Props {
  readonly onClose: () => void;
  readonly onAdded: (recoveryCodes: readonly string[]) => void;
}

/** A name and the password, then the browser asks for the passkey. */
export function AddPasskey({ onClose, onAdded }: Props): ReactNode {
  const api = useApi();
  const needsPassword = useMe().has_password;
  const form = useForm({
    initialValues: { name: '', current_password: '' },
    validate: {
      name: (text) => (text.trim() === '' ? words.nameMissing : null),
      current_password: (text) => (needsPassword && text === '' ? t.account.currentMissing : null),
    },
  });
  const run = async ({ name, current_password }: typeof form.values): Promise<void> => {
    const body = needsPassword ? { current_password } : {};
    const { options } = await dataOf(api.POST('/api/v1/account/me/passkeys/options', { body }));
    const answer = await makePasskey(options).catch((error: unknown) => {
      if (!(error instanceof Cancelled)) throw error;
      return null;
    });
    // The dialog stays for another try.
    if (answer === null) return form.setFieldError('name', words.cancelled);
    const added = await dataOf(api.POST('/api/v1/account/me/passkeys', { body: { name, answer } }));
    onAdded(added.recovery_codes);
  };
  return (
    <FormModal
      opened
      onClose={onClose}
      title={words.add}
      form={form}
      act={words.next}
      run={run}
      onDone={() => {}}
    >
      <NameInput {...form.getInputProps('name')} />
      <OwnPassword {...form.getInputProps('current_password')} />
    </FormModal>
  );
}
