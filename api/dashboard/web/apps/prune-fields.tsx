import { NumberInput, Switch } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import type { ReactNode } from 'react';
import { t } from '../texts/t.ts';
import { UnreachableCount } from './unreachable-count.tsx';
import type { AppValues } from './values.ts';

const words = t.standing;

/** Readers who gave no sign: counted before the app unsubscribes them. */
export default function PruneFields({ form }: { form: UseFormReturnType<AppValues> }): ReactNode {
  const { prune, prune_unreachable_days: days } = form.getValues();
  return (
    <>
      <Switch
        label={words.prune}
        description={words.pruneHint}
        {...form.getInputProps('prune', { type: 'checkbox' })}
      />
      {prune && (
        <>
          <NumberInput
            label={words.pruneDays}
            min={60}
            max={400}
            allowDecimal={false}
            maw={240}
            {...form.getInputProps('prune_unreachable_days')}
          />
          <UnreachableCount days={Number(days)} />
        </>
      )}
    </>
  );
}
