import { Button, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { type ReactNode, useState } from 'react';
import { t } from '../../texts/t.ts';
import { FormModal } from '../../ui/form-modal.tsx';
import { toastDone } from '../../ui/toast.ts';
import { moved, todayIn } from '../periods.ts';
import type { Ask } from '../use-jobs.ts';
import type { Series } from './answers.ts';
import { seriesName } from './series-name.ts';

const words = t.reportChecks.unusual;
const MOST_CHARACTERS = 500;
/** As long as most reasons last; anybody can end it before. */
const USUAL_DAYS = 28;

interface MuteButtonProps {
  readonly series: Series;
  readonly ask: Ask;
  readonly onMuted: () => void;
}

/** Somebody knows why, and until when. */
export function MuteButton({ series, ask, onMuted }: MuteButtonProps): ReactNode {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button
        size="xs"
        variant="default"
        aria-label={words.muteOf(seriesName(series))}
        onClick={() => setOpen(true)}
      >
        {words.mute}
      </Button>
      {isOpen && <MuteDialog series={series} ask={ask} onMuted={onMuted} onClose={() => setOpen(false)} />}
    </>
  );
}

function MuteDialog({
  series,
  ask,
  onMuted,
  onClose,
}: MuteButtonProps & { readonly onClose: () => void }): ReactNode {
  const today = todayIn('UTC');
  const form = useForm({
    initialValues: { until: moved(today, USUAL_DAYS), reason: '' },
    validate: { until: (day: string) => (day === '' ? words.untilMissing : null) },
  });
  return (
    <FormModal
      opened
      onClose={onClose}
      title={words.muteOf(seriesName(series))}
      form={form}
      act={words.mute}
      run={async ({ until, reason }) => {
        await ask({ method: 'POST', path: '/anomalies/mutes', body: muteBody(series, until, reason) });
        toastDone(words.mutedNow(seriesName(series)));
        onMuted();
      }}
    >
      <TextInput
        type="date"
        label={words.until}
        description={words.muteAbout}
        min={today}
        {...form.getInputProps('until')}
      />
      <TextInput
        label={t.reportChecks.differences.reason}
        maxLength={MOST_CHARACTERS}
        {...form.getInputProps('reason')}
      />
    </FormModal>
  );
}

function muteBody({ domain, product, country }: Series, until: string, reason: string): object {
  return { domain, product, country, until, ...(reason.trim() === '' ? {} : { reason: reason.trim() }) };
}
