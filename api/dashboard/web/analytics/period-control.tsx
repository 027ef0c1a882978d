import { Group, NumberInput, SegmentedControl } from '@mantine/core';
import { useDebouncedCallback } from '@mantine/hooks';
import { type ReactNode, useState } from 'react';
import { t } from '../texts/t.ts';
import { isPeriod, MAX_DAYS } from './period.ts';

const presets = [7, 30, 90] as const;
const OTHER = 'other';
const TYPING_MS = 500;
const words = t.analytics;

/** How many days to look back: the usual ones, or any number. */
export function PeriodControl({
  days,
  onChange,
}: {
  days: number;
  onChange: (days: number) => void;
}): ReactNode {
  const isPreset = presets.some((each) => each === days);
  const [isOther, setOther] = useState(!isPreset);
  const tell = useDebouncedCallback((value: string | number) => {
    if (isPeriod(value)) onChange(value);
  }, TYPING_MS);
  return (
    <Group gap="sm">
      <SegmentedControl
        aria-label={words.period}
        value={isOther ? OTHER : String(days)}
        onChange={(value) => {
          setOther(value === OTHER);
          if (value !== OTHER) onChange(Number(value));
        }}
        data={[
          ...presets.map((each) => ({ value: String(each), label: words.presets(each) })),
          { value: OTHER, label: words.custom },
        ]}
      />
      {isOther && (
        <NumberInput
          aria-label={words.customLabel}
          defaultValue={days}
          min={1}
          max={MAX_DAYS}
          allowDecimal={false}
          clampBehavior="strict"
          w="6rem"
          onChange={tell}
        />
      )}
    </Group>
  );
}
