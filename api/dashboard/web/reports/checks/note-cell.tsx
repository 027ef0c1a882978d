import { Button, Group, Text, Textarea } from '@mantine/core';
import { useForm } from '@mantine/form';
import { type ReactNode, useState } from 'react';
import { formatTime, formatUtcDay } from '../../format/format.ts';
import { t } from '../../texts/t.ts';
import { ConfirmedButton } from '../../ui/confirmed-button.tsx';
import { FormModal } from '../../ui/form-modal.tsx';
import type { Ask } from '../use-jobs.ts';
import type { Difference } from './answers.ts';

const words = t.reportChecks.differences;
const MOST_CHARACTERS = 500;

interface NoteCellProps {
  readonly row: Difference;
  readonly sources: readonly [string, string];
  readonly ask: Ask;
  readonly onNoted: () => void;
}

/** Why the two differ, as a person noted it. */
export function NoteCell({ row, sources, ask, onNoted }: NoteCellProps): ReactNode {
  const { day, domain, note } = row;
  const [isOpen, setOpen] = useState(false);
  const named = { site: domain, day: formatUtcDay(new Date(day)) };
  const act = note === null ? words.note : words.change;
  const write = async (reason: string | null): Promise<void> => {
    const body = { sources, day, domain, reason, version: note?.version ?? 0 };
    // Where another person was first, the row is read again, too.
    await ask({ method: 'POST', path: '/discrepancies/notes', body }).finally(onNoted);
  };
  return (
    <>
      {note !== null && (
        <>
          <Text size="sm">{note.reason}</Text>
          <Text size="xs" c="dimmed">
            {note.written_by ?? t.reportChecks.gone}, {formatTime(note.written_at)}
          </Text>
        </>
      )}
      <Group gap="xs" mt={note === null ? 0 : 4}>
        <Button
          size="xs"
          variant="default"
          aria-label={`${act} – ${named.site}, ${named.day}`}
          onClick={() => setOpen(true)}
        >
          {act}
        </Button>
        {note !== null && (
          <ConfirmedButton
            label={words.remove}
            name={words.removeOf(named.site, named.day)}
            title={words.removeOf(named.site, named.day)}
            text={words.removeAbout}
            act={words.remove}
            run={() => write(null)}
            done={words.removed}
            button={{ size: 'xs' }}
          />
        )}
      </Group>
      {isOpen && (
        <NoteDialog
          title={words.noteOf(named.site, named.day)}
          reason={note?.reason ?? ''}
          write={write}
          onClose={() => setOpen(false)}
        />
      )}
    </>
  );
}

interface NoteDialogProps {
  readonly title: string;
  readonly reason: string;
  readonly write: (reason: string) => Promise<void>;
  readonly onClose: () => void;
}

function NoteDialog({ title, reason, write, onClose }: NoteDialogProps): ReactNode {
  const form = useForm({
    initialValues: { reason },
    validate: { reason: (text: string) => (text.trim() === '' ? words.reasonMissing : null) },
  });
  return (
    <FormModal
      opened
      onClose={onClose}
      title={title}
      form={form}
      act={t.reports.saved.save}
      run={(values) => write(values.reason.trim())}
    >
      <Textarea
        label={words.reason}
        description={words.noteAbout}
        maxLength={MOST_CHARACTERS}
        autosize
        minRows={2}
        data-autofocus
        {...form.getInputProps('reason')}
      />
    </FormModal>
  );
}
