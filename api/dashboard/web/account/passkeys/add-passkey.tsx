import { useForm } from '@mantine/form';
import type { ReactNode } from 'react';
import { Cancelled, makePasskey } from '../../data/account/passkeys/browser.ts';
import { useMe } from '../../data/account/use-me.ts';
import { dataOf } from '../../data/http/api.ts';
import { useApi } from '../../data/http/services.tsx';
import { OwnPassword } from '../../parts/own-password.tsx';
import { t } from '../../texts/t.ts';
import { FormModal } from '../../ui/form-modal.tsx';
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
