import { Select } from '@mantine/core';
import type { ReactNode } from 'react';
import { useApp } from '../data/apps/use-app.ts';
import { t } from '../texts/t.ts';
import type { FormWith } from './form.ts';
import { quietChoices } from './values.ts';

const words = t.compose;

/** What quiet hours do to it; nothing where the app has none. */
export function QuietHoursField({ form }: { form: FormWith<object, never> }): ReactNode {
  const { quiet_hours: hours } = useApp();
  if (hours === null) return null;
  return (
    <Select
      label={words.quiet}
      description={words.quietHint(hours.from, hours.to)}
      allowDeselect={false}
      data={quietChoices.map((value) => ({ value, label: words.quietChoices[value] }))}
      {...form.getInputProps('during_quiet_hours')}
    />
  );
}
