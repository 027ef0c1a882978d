import { SegmentedControl, Text, TextInput } from '@mantine/core';
import type { ReactNode } from 'react';
import { Section } from '../shell/section.tsx';
import { t } from '../texts/t.ts';
import type { WithForm } from './form.ts';
import { formatLocal, formatUtc, localOf, parseLocal, zoneAt } from './local-time.ts';
import { modes } from './values.ts';

const words = t.compose;

/** Now, later, or only to see how it would go. */
export function WhenFields({ form }: WithForm): ReactNode {
  const { mode } = form.getValues();
  return (
    <Section title={words.when}>
      <SegmentedControl
        aria-label={words.modeLabel}
        fullWidth
        data={modes.map((value) => ({ value, label: words.modes[value] }))}
        {...form.getInputProps('mode')}
      />
      {mode === 'later' ? (
        <ScheduledAt form={form} />
      ) : (
        <Text size="sm" c="dimmed">
          {mode === 'now' ? words.nowHint : words.rehearsalHint}
        </Text>
      )}
    </Section>
  );
}

/** The browser's own picker: it speaks the reader's language, and every key and screen reader knows it. */
function ScheduledAt({ form }: WithForm): ReactNode {
  const at = parseLocal(form.getValues().scheduled_at);
  return (
    <TextInput
      type="datetime-local"
      label={words.scheduledAt}
      description={
        at === null
          ? words.zone(zoneAt(new Date()))
          : `${words.zone(zoneAt(at))} ${words.zoneAs(formatLocal(at), formatUtc(at))}`
      }
      min={localOf(new Date())}
      required
      {...form.getInputProps('scheduled_at')}
    />
  );
}
