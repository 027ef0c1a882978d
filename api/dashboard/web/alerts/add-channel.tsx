import { NativeSelect, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { type Channel, channelsKey } from '../data/alerts/queries.ts';
import { dataOf } from '../data/http/api.ts';
import { useApi } from '../data/http/services.tsx';
import { t } from '../texts/t.ts';
import { FormModal } from '../ui/form-modal.tsx';
import { SecretOnce } from '../ui/secret-once.tsx';
import { toastDone } from '../ui/toast.ts';
import { allWanted, missingWanted, type Wanted, WantedFields } from './wanted-fields.tsx';
import { nameOf } from './words.ts';

/** Adds a channel; the secret of a webhook is shown once. */
export function AddChannel({ onClose }: { onClose: () => void }): ReactNode {
  const [secret, setSecret] = useState<string | null>(null);
  return secret === null ? (
    <ChannelForm onSecret={setSecret} onClose={onClose} />
  ) : (
    <SecretOnce secret={secret} words={t.alerts} onClose={onClose} />
  );
}

interface FormProps {
  readonly onSecret: (secret: string) => void;
  readonly onClose: () => void;
}

/** Named as the API names them: its errors are shown at the fields. */
interface ChannelValues {
  kind: Channel['kind'];
  address: string;
  alert_kinds: Wanted;
}

const kinds = Object.entries(t.alerts.kinds).map(([value, label]) => ({ value, label }));

function ChannelForm({ onSecret, onClose }: FormProps): ReactNode {
  const api = useApi();
  const queries = useQueryClient();
  const form = useForm<ChannelValues>({
    initialValues: { kind: 'email', address: '', alert_kinds: allWanted },
    validate: {
      address: (address) => (address.trim() === '' ? t.alerts.addressMissing : null),
      alert_kinds: missingWanted,
    },
  });
  const { kind } = form.getValues();
  return (
    <FormModal
      opened
      onClose={onClose}
      title={t.alerts.add}
      form={form}
      act={t.alerts.make}
      // The secret of a webhook replaces this dialog.
      onDone={() => {}}
      run={async (values) => {
        const body = { ...values, address: values.address.trim() };
        const made = await dataOf(api.POST('/api/v1/account/alert-channels', { body }));
        await queries.invalidateQueries({ queryKey: channelsKey });
        if (made.secret !== null) return onSecret(made.secret);
        toastDone(t.alerts.added(nameOf(made)));
        onClose();
      }}
    >
      <NativeSelect label={t.alerts.kind} data={kinds} data-autofocus {...form.getInputProps('kind')} />
      <TextInput
        label={t.alerts.address}
        description={t.alerts.addressHints[kind]}
        required
        maxLength={2_000}
        inputMode={kind === 'email' ? 'email' : 'url'}
        autoComplete="off"
        {...form.getInputProps('address')}
      />
      <WantedFields {...form.getInputProps('alert_kinds')} />
    </FormModal>
  );
}
