import { Select, TextInput } from '@mantine/core';
import type { ReactNode } from 'react';
import type { WithForm } from '../notification/form.ts';
import { contentsOf, isTest } from '../notification/variants.ts';
import { t } from '../texts/t.ts';

const words = t.compose;
const MAX_CRON = 100;

/** What most campaigns leave as it is. */
export function CampaignOptions({ form }: WithForm): ReactNode {
  const values = form.getValues();
  if (isTest(values)) {
    return (
      values.decide_by === 'clicks' && (
        <Select
          label={words.fallback}
          description={words.fallbackHint}
          allowDeselect={false}
          data={contentsOf(values).map((_, at) => ({ value: String(at + 1), label: words.variant(at + 1) }))}
          {...form.getInputProps('fallback')}
        />
      )
    );
  }
  if (values.mode === 'local') {
    return (
      <Select
        label={words.ifPassed}
        description={words.ifPassedHint}
        allowDeselect={false}
        data={(['send', 'skip'] as const).map((value) => ({ value, label: words.ifPassedKinds[value] }))}
        {...form.getInputProps('if_passed')}
      />
    );
  }
  return (
    values.mode === 'repeats' && (
      <TextInput
        label={words.cron}
        description={words.cronHint}
        maxLength={MAX_CRON}
        autoComplete="off"
        spellCheck={false}
        {...form.getInputProps('repeat_cron')}
      />
    )
  );
}
