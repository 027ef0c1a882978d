import { Checkbox, NativeSelect, SimpleGrid, Stack, TextInput } from '@mantine/core';
import type { ReactNode } from 'react';
import { zonesByUse } from '../format/time-zones.ts';
import { t } from '../texts/t.ts';
import { comparedWith } from './compared.ts';
import { at } from './errors.ts';
import { periods } from './periods.ts';
import { daysIn, type ReportDraft } from './report.ts';

const words = t.reports;

/** What is asked of which days. */
export type PeriodDraft = Pick<
  ReportDraft,
  'period' | 'from' | 'to' | 'timezone' | 'currency' | 'sourceDays'
>;

export interface OptionsProps<Draft = ReportDraft> {
  readonly draft: Draft;
  /** Path in the body → its error. */
  readonly errors: Readonly<Record<string, string>>;
  readonly onChange: (draft: Draft) => void;
}

/** Which days, of which zone, beside which others, and in which currency. */
export const Options = (props: OptionsProps): ReactNode => (
  <Stack gap="sm">
    <SimpleGrid cols={{ base: 1, xs: 2, md: 3, xl: 6 }}>
      <Days {...props} />
      <Zone {...props} />
      <Comparison {...props} />
      <Currency {...props} />
    </SimpleGrid>
    <SourceDays {...props} />
  </Stack>
);

type PeriodProps = OptionsProps<PeriodDraft>;

/** The same where nothing is compared. */
export const PeriodOptions = (props: PeriodProps): ReactNode => (
  <Stack gap="sm">
    <SimpleGrid cols={{ base: 1, xs: 2, md: 3, xl: 5 }}>
      <Days {...props} />
      <Zone {...props} />
      <Currency {...props} />
    </SimpleGrid>
    <SourceDays {...props} />
  </Stack>
);

function Days<Draft extends PeriodDraft>({ draft, errors, onChange }: OptionsProps<Draft>): ReactNode {
  const days = daysIn(draft);
  const change = (changes: Partial<typeof days>): void =>
    onChange({ ...draft, ...days, ...changes, period: '' });
  return (
    <>
      <NativeSelect
        label={words.period}
        value={draft.period}
        onChange={(event) => {
          const period = periods.find((each) => each === event.currentTarget.value) ?? '';
          onChange({ ...draft, ...days, period });
        }}
        data={[
          ...periods.map((each) => ({ value: each, label: words.periods[each] })),
          { value: '', label: words.ownDates },
        ]}
      />
      <TextInput
        type="date"
        label={words.from}
        value={days.from}
        error={at(errors, 'selectedDate')}
        onChange={(event) => change({ from: event.currentTarget.value })}
      />
      <TextInput
        type="date"
        label={words.to}
        value={days.to}
        min={days.from}
        onChange={(event) => change({ to: event.currentTarget.value })}
      />
    </>
  );
}

function Zone<Draft extends PeriodDraft>({ draft, errors, onChange }: OptionsProps<Draft>): ReactNode {
  return (
    <NativeSelect
      label={words.timezone}
      value={draft.timezone}
      error={at(errors, 'timezone')}
      onChange={(event) => onChange({ ...draft, timezone: event.currentTarget.value })}
      data={zonesByUse()}
    />
  );
}

const Comparison = ({ draft, errors, onChange }: OptionsProps): ReactNode => (
  <NativeSelect
    label={words.compare}
    value={draft.compare}
    error={at(errors, 'compare_to')}
    onChange={(event) => {
      const compare = comparedWith.find((each) => each === event.currentTarget.value);
      onChange({ ...draft, compare: compare ?? '' });
    }}
    data={Object.entries(words.compares).map(([value, label]) => ({ value, label }))}
  />
);

const Currency = <Draft extends PeriodDraft>({ draft, errors, onChange }: OptionsProps<Draft>): ReactNode => (
  <NativeSelect
    label={words.currency}
    value={draft.currency}
    error={at(errors, 'currency')}
    onChange={(event) =>
      onChange({ ...draft, currency: event.currentTarget.value === 'USD' ? 'USD' : 'EUR' })
    }
    data={['EUR', 'USD']}
  />
);

/** Asked only where it matters: some ad servers deliver days without hours, which another zone cannot split. */
function SourceDays<Draft extends PeriodDraft>({ draft, errors, onChange }: OptionsProps<Draft>): ReactNode {
  if (!draft.sourceDays && at(errors, 'timezone') === undefined) return null;
  return (
    <Checkbox
      label={words.sourceDays}
      checked={draft.sourceDays}
      onChange={(event) => onChange({ ...draft, sourceDays: event.currentTarget.checked })}
    />
  );
}
