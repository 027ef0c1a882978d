import { TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import type { ReactNode } from 'react';
import type { Entry } from '../data/calendar/queries.ts';
import { localOf, parseLocal, zoneAt } from '../format/local-time.ts';
import { t } from '../texts/t.ts';
import { FormModal } from '../ui/form-modal.tsx';
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
