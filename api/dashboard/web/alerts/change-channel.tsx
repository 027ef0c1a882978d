import { Text } from '@mantine/core';
import { useForm } from '@mantine/form';
import type { ReactNode } from 'react';
import type { Channel } from '../data/alerts/queries.ts';
import { t } from '../texts/t.ts';
import { FormModal } from '../ui/form-modal.tsx';
import { toastDone } from '../ui/toast.ts';
import { useChange } from './use-change.ts';
import { missingWanted, type Wanted, WantedFields } from './wanted-fields.tsx';
import { nameOf } from './words.ts';

interface ChangeProps {
  readonly channel: Channel;
  readonly onClose: () => void;
}

/** Which alerts a channel gets. */
export function ChangeChannel({ channel, onClose }: ChangeProps): ReactNode {
  const change = useChange(channel);
  const form = useForm<{ alert_kinds: Wanted }>({
    initialValues: { alert_kinds: channel.alert_kinds },
    validate: { alert_kinds: missingWanted },
  });
  return (
    <FormModal
      opened
      onClose={onClose}
      title={t.alerts.changeName(nameOf(channel))}
      form={form}
      act={t.actions.save}
      run={async (values) => {
        await change(values);
        toastDone(t.alerts.changed(nameOf(channel)));
      }}
    >
      <WantedFields {...form.getInputProps('alert_kinds')} />
      <Text size="sm" c="dimmed">
        {t.alerts.changeHint}
      </Text>
    </FormModal>
  );
}
