import { Group, NativeSelect, TextInput } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import {
  type AnalyticsSearch,
  type CalendarPart,
  type Comparison,
  calendarParts,
  comparisons,
  DEFAULT_DAYS,
  isRange,
  rangeOf,
  today,
} from '../data/analytics/period.ts';
import { t } from '../texts/t.ts';
import { Copy } from '../ui/copy.tsx';

const lastDays = [1, 7, 30, 90] as const;
const OWN = 'own';
const words = t.analytics;

interface Props {
  readonly search: AnalyticsSearch;
  readonly onChange: (search: AnalyticsSearch) => void;
}

/** Which days are shown, what they are compared with, and the link that keeps both. */
export function PeriodControl({ search, onChange }: Props): ReactNode {
  const { days = DEFAULT_DAYS, period, from, compare } = search;
  const chosen = from !== undefined ? OWN : (period ?? String(days));
  const choose = (value: string): void => {
    const part = calendarParts.find((each: CalendarPart) => each === value);
    const days = value === String(DEFAULT_DAYS) ? {} : { days: Number(value) };
    const next = value === OWN ? rangeOf(search) : part === undefined ? days : { period: part };
    onChange({ ...withoutPeriod(search), ...next });
  };
  const isUsual = chosen === OWN || period !== undefined || lastDays.some((each) => each === days);
  return (
    <Group gap="sm" align="flex-end">
      <NativeSelect
        aria-label={words.period}
        value={chosen}
        onChange={(event) => choose(event.currentTarget.value)}
        data={[
          ...[...lastDays, ...(isUsual ? [] : [days])].map((each) => ({
            value: String(each),
            label: each === 1 ? words.today : words.lastDays(each),
          })),
          ...calendarParts.map((each) => ({ value: each, label: words.parts[each] })),
          { value: OWN, label: words.ownDates },
        ]}
      />
      {chosen === OWN && <Dates search={search} onChange={onChange} />}
      <NativeSelect
        aria-label={words.compare}
        value={compare ?? ''}
        onChange={(event) => {
          const { compare: _, ...rest } = search;
          const next = comparisons.find((each: Comparison) => each === event.currentTarget.value);
          onChange(next === undefined ? rest : { ...rest, compare: next });
        }}
        data={[
          { value: '', label: words.compareNone },
          ...comparisons.map((each) => ({ value: each, label: words.comparisons[each] })),
        ]}
      />
      <Copy text={location.href} label={words.copyLink} />
    </Group>
  );
}

function withoutPeriod({ compare, currency }: AnalyticsSearch): AnalyticsSearch {
  return { ...(compare === undefined ? {} : { compare }), ...(currency === undefined ? {} : { currency }) };
}

/** Typed or picked; the charts follow once both are days, in their order. */
function Dates({ search, onChange }: Props): ReactNode {
  const range = rangeOf(search);
  const [dates, setDates] = useState(range);
  const isWrong = !isRange(dates.from, dates.to);
  const change = (changes: Partial<typeof range>): void => {
    const next = { ...dates, ...changes };
    setDates(next);
    if (isRange(next.from, next.to)) onChange({ ...search, ...next });
  };
  return (
    <>
      <TextInput
        type="date"
        aria-label={words.firstDay}
        value={dates.from}
        max={today()}
        error={isWrong && words.wrongDates}
        onChange={(event) => change({ from: event.currentTarget.value })}
      />
      <TextInput
        type="date"
        aria-label={words.lastDay}
        value={dates.to}
        max={today()}
        onChange={(event) => change({ to: event.currentTarget.value })}
      />
    </>
  );
}
