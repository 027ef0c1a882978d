import { Text, TextInput } from '@mantine/core';
import type { ReactNode } from 'react';
import { useApp } from '../data/apps/use-app.ts';
import { formatLocal, formatUtc, localOf, parseLocal, zoneAt } from '../format/local-time.ts';
import { keepsQuiet } from '../notification/campaign.ts';
import type { WithForm } from '../notification/form.ts';
import { RepeatFields } from '../notification/repeat-fields.tsx';
import { type ComposeValues, modes } from '../notification/values.ts';
import { isTest } from '../notification/variants.ts';
import { t } from '../texts/t.ts';
import { ChoiceBar } from '../ui/choice-bar.tsx';
import { Section } from '../ui/section.tsx';
import { Steps } from './steps.tsx';

const words = t.compose;

/** Now, later, where the reader is, again and again, or only to see how it would go. */
export function WhenFields({ form }: WithForm): ReactNode {
  const { mode } = form.getValues();
  const test = isTest(form.getValues());
  return (
    <Section title={words.when}>
      <ChoiceBar
        aria-label={words.modeLabel}
        fullWidth
        data={modes.map((value) => ({
          value,
          label: words.modes[value],
          disabled: test && (value === 'local' || value === 'repeats'),
        }))}
        {...form.getInputProps('mode')}
        value={mode}
      />
      {mode === 'later' && <ScheduledAt form={form} />}
      {mode === 'local' && <LocalAt form={form} />}
      {mode === 'repeats' && <RepeatFields form={form} />}
      {(mode === 'now' || mode === 'rehearsal') && (
        <Text size="sm" c="dimmed">
          {mode === 'now' ? words.nowHint : words.rehearsalHint}
        </Text>
      )}
      {test && (
        <Text size="sm" c="dimmed">
          {words.testTimes}
        </Text>
      )}
      <Steps values={form.getValues()} />
      <QuietNote values={form.getValues()} />
    </Section>
  );
}

function QuietNote({ values }: { values: ComposeValues }): ReactNode {
  const { quiet_hours: hours } = useApp();
  const { during_quiet_hours: choice } = values;
  if (hours === null || choice === 'send' || !keepsQuiet(values)) return null;
  return (
    <Text size="sm" c="dimmed">
      {words.quietNotes[choice]}
    </Text>
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

const LocalAt = ({ form }: WithForm): ReactNode => (
  <TextInput
    type="datetime-local"
    label={words.scheduledAt}
    description={words.localHint}
    required
    {...form.getInputProps('local_at')}
  />
);
