import { Select, SimpleGrid } from '@mantine/core';
import type { ReactNode } from 'react';
import { exactDuration } from '../format/exact-duration.ts';
import { formatPercent } from '../format/format.ts';
import { withGiven } from '../format/with-given.ts';
import type { WithForm } from '../notification/form.ts';
import { t } from '../texts/t.ts';
import { Section } from '../ui/section.tsx';

const words = t.compose;
const shares = [10, 20, 30, 50, 100];
/** In minutes. */
const waits = [15, 30, 60, 120, 240, 720, 1_440, 4_320, 10_080];

/** How large a test is, and what becomes of the other readers. */
export function TestFields({ form }: WithForm): ReactNode {
  const { decide_by: by, test_percent, decide_after_minutes } = form.getValues();
  return (
    <Section title={words.test} description={words.testAbout[by]}>
      <SimpleGrid cols={{ base: 1, sm: by === 'clicks' ? 3 : 2 }}>
        <Select
          label={words.testPercent}
          allowDeselect={false}
          data={withGiven(shares, test_percent).map((share) => ({
            value: String(share),
            label: formatPercent(share),
          }))}
          {...form.getInputProps('test_percent')}
        />
        <Select
          label={words.decideBy}
          allowDeselect={false}
          data={(['clicks', 'hand', 'never'] as const).map((value) => ({
            value,
            label: words.decideBys[value],
          }))}
          {...form.getInputProps('decide_by')}
        />
        {by === 'clicks' && (
          <Select
            label={words.decideAfter}
            allowDeselect={false}
            data={withGiven(waits, decide_after_minutes).map((minutes) => ({
              value: String(minutes),
              label: exactDuration(minutes),
            }))}
            {...form.getInputProps('decide_after_minutes')}
          />
        )}
      </SimpleGrid>
    </Section>
  );
}
