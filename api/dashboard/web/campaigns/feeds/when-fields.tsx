import { Select, SimpleGrid, Text, TextInput } from '@mantine/core';
import type { ReactNode } from 'react';
import { exactDuration } from '../../format/exact-duration.ts';
import { withGiven } from '../../format/with-given.ts';
import { QuietHoursField } from '../../notification/quiet-hours-field.tsx';
import { RepeatFields } from '../../notification/repeat-fields.tsx';
import { t } from '../../texts/t.ts';
import { ChoiceBar } from '../../ui/choice-bar.tsx';
import { Section } from '../../ui/section.tsx';
import type { WithFeedForm } from './form.ts';
import { overflowKinds, whenKinds } from './values.ts';

const words = t.feeds;
const everyMinutes = [1, 5, 15, 30, 60, 180, 720, 1_440];
const perHour = [1, 2, 3, 5, 10, 20];

/** When it is checked, and how much of it is sent. */
export function WhenFields({ form }: WithFeedForm): ReactNode {
  const { when, publish } = form.getValues();
  return (
    <Section title={t.compose.when}>
      <ChoiceBar
        aria-label={words.when}
        fullWidth
        data={whenKinds.map((value) => ({ value, label: words.whens[value] }))}
        {...form.getInputProps('when')}
        value={when}
      />
      {when === 'digest' ? <Digest form={form} /> : <AsTheyCome form={form} />}
      {publish === 'automatic' && <QuietHoursField form={form} />}
    </Section>
  );
}

function Digest({ form }: WithFeedForm): ReactNode {
  return (
    <>
      <Text size="sm" c="dimmed">
        {words.digestAbout}
      </Text>
      <RepeatFields form={form} plain />
      {form.getValues().repeat_cron !== '' && (
        <TextInput
          label={t.compose.cron}
          description={t.compose.cronHint}
          autoComplete="off"
          spellCheck={false}
          {...form.getInputProps('repeat_cron')}
        />
      )}
    </>
  );
}

function AsTheyCome({ form }: WithFeedForm): ReactNode {
  const values = form.getValues();
  return (
    <SimpleGrid cols={{ base: 1, sm: 2 }}>
      <Select
        label={words.every}
        allowDeselect={false}
        data={withGiven(everyMinutes, values.every_minutes).map((minutes) => ({
          value: String(minutes),
          label: exactDuration(minutes),
        }))}
        {...form.getInputProps('every_minutes')}
      />
      <Select
        label={words.perHour}
        allowDeselect={false}
        data={withGiven(perHour, values.max_per_hour).map(String)}
        {...form.getInputProps('max_per_hour')}
      />
      <Select
        label={words.overflow}
        allowDeselect={false}
        data={overflowKinds.map((value) => ({ value, label: words.overflows[value] }))}
        {...form.getInputProps('overflow')}
      />
    </SimpleGrid>
  );
}
