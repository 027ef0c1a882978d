import { Select } from '@mantine/core';
import type { ReactNode } from 'react';
import type { WithForm } from '../notification/form.ts';
import { t } from '../texts/t.ts';
import { useBreaking } from './use-breaking.ts';

const words = t.compose;

/** The lane, with the remaining breaking deliveries of the day it is sent. */
export function LaneField({ form }: WithForm): ReactNode {
  const { isOpen, hint } = useBreaking(form.getValues());
  return (
    <Select
      label={words.lane}
      description={`${words.laneHint} ${hint}`.trim()}
      data={(['bulk', 'breaking'] as const).map((value) => ({
        value,
        label: words.lanes[value],
        disabled: value === 'breaking' && !isOpen,
      }))}
      {...form.getInputProps('lane')}
    />
  );
}
