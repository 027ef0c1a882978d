import { TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useQueryClient } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { passkeysKey } from '../../data/account/passkeys/queries.ts';
import { dataOf } from '../../data/http/api.ts';
import { useApi } from '../../data/http/services.tsx';
import { t } from '../../texts/t.ts';
import { FormModal } from '../../ui/form-modal.tsx';

const words = t.passkeys;

interface Props {
  readonly id: number;
  readonly name: string;
  readonly onClose: () => void;
}

export function RenamePasskey({ id, name, onClose }: Props): ReactNode {
  const api = useApi();
  const queries = useQueryClient();
  const form = useForm({
    initialValues: { name },
    validate: { name: (text) => (text.trim() === '' ? words.nameMissing : null) },
  });
  const run = async (body: { name: string }): Promise<void> => {
    const params = { path: { passkey_id: String(id) } };
    await dataOf(api.PATCH('/api/v1/account/me/passkeys/{passkey_id}', { params, body }));
    await queries.invalidateQueries({ queryKey: passkeysKey });
  };
  return (
    <FormModal
      opened
      onClose={onClose}
      title={words.renameTitle(name)}
      form={form}
      act={t.actions.save}
      run={run}
    >
      <NameInput {...form.getInputProps('name')} />
    </FormModal>
  );
}

export const NameInput = (props: object): ReactNode => (
  <TextInput
    label={words.name}
    description={words.nameHint}
    required
    maxLength={255}
    data-autofocus
    {...props}
  />
);
