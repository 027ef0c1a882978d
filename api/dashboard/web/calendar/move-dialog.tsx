import { TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import type { ReactNode } from 'react';
import { localOf, parseLocal, zoneAt } from '../compose/local-time.ts';
import { FormModal } from '../shell/form-modal.tsx';
import { t } from '../texts/t.ts';
import type { Entry } from './queries.ts';
import type { UseMove } from './use-move.tsx';

interface Props {
  readonly entry: Entry;
  readonly move: UseMove['move'];
  readonly onClose: () => void;
}

/** The way by keyboard and on phones. */
export function MoveDialog({ entry, move, onClose }: Props): ReactNode {
  const form = useForm({
    initialValues: { at: localOf(new Date(entry.at)) },
    validate: {
      at: (text) => ((parseLocal(text)?.getTime() ?? 0) > Date.now() ? null : t.change.future),
    },
  });
  return (
    <FormModal
      opened
      onClose={onClose}
      title={t.calendar.move(entry.name)}
      form={form}
      act={t.calendar.act}
      run={async ({ at }) => move({ entry, to: new Date(at) })}
    >
      <TextInput
        type="datetime-local"
        label={t.compose.scheduledAt}
        description={t.compose.zone(zoneAt(parseLocal(form.getValues().at) ?? new Date()))}
        min={localOf(new Date())}
        data-autofocus
        required
        {...form.getInputProps('at')}
      />
    </FormModal>
  );
}
