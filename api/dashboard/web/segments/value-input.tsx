import { MultiSelect, NativeSelect, NumberInput, TagsInput, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useApi } from '../data/http/services.tsx';
import { askedBy, type ConditionDraft } from '../data/segments/draft.ts';
import { ruleCategoriesQuery, ruleDeliveriesQuery } from '../data/segments/queries.ts';
import { countryChoices } from '../format/countries.ts';
import { formatDay, percentSign } from '../format/format.ts';
import { deviceTypes, knownBrowsers, knownSystems } from '../format/known-names.ts';
import { timeZones } from '../format/time-zones.ts';
import { t } from '../texts/t.ts';

const MAX_DAYS = 3_650;
const words = t.rule;

export interface ValueInputProps {
  readonly app: string;
  readonly draft: ConditionDraft;
  readonly error: string | undefined;
  readonly onChange: (draft: ConditionDraft) => void;
}

/** A condition's value, in an input that fits it. */
export function ValueInput(props: ValueInputProps): ReactNode {
  const { draft, error, onChange } = props;
  switch (askedBy(draft)) {
    case 'value':
      return (
        <TextInput
          aria-label={words.value}
          value={draft.value}
          maxLength={255}
          error={error}
          onChange={(event) => onChange({ ...draft, value: event.currentTarget.value })}
        />
      );
    case 'values':
      return <ValuesInput {...props} />;
    case 'category':
      return <CategoryInput {...props} />;
    case 'date':
      return (
        <TextInput
          type="date"
          aria-label={words.date}
          value={draft.date}
          error={error}
          onChange={(event) => onChange({ ...draft, date: event.currentTarget.value })}
        />
      );
    case 'days':
      return (
        <NumberInput
          aria-label={words.days}
          value={draft.days}
          min={1}
          max={MAX_DAYS}
          allowDecimal={false}
          allowNegative={false}
          error={error}
          onChange={(days) => onChange({ ...draft, days: days === '' ? '' : Number(days) })}
        />
      );
    case 'delivery':
      return <DeliveryInput {...props} />;
    case 'share':
      return <ShareInput {...props} />;
    case 'nothing':
      return null;
  }
}

const suggestions: Partial<Record<ConditionDraft['field'], readonly string[]>> = {
  browser: knownBrowsers,
  os: knownSystems,
};

const MOST_SHOWN = 50;

/** Typing finds one, and Enter takes it. */
const searched = { searchable: true, selectFirstOptionOnChange: true, clearSearchOnChange: true } as const;

/** Countries and devices are chosen from all there are; names and values of tags can be anything. */
function ValuesInput({ draft, error, onChange }: ValueInputProps): ReactNode {
  const values = [...draft.values];
  const shared = {
    'aria-label': words.values,
    value: values,
    error,
    onChange: (next: string[]) => onChange({ ...draft, values: next }),
    hidePickedOptions: true,
  };
  if (draft.field === 'country') {
    const known = new Set(countryChoices().map(({ value }) => value));
    const others = values.filter((value) => !known.has(value)).map((value) => ({ value, label: value }));
    return <MultiSelect {...shared} {...searched} data={[...countryChoices(), ...others]} />;
  }
  if (draft.field === 'device_type') {
    const data = deviceTypes.map((type) => ({ value: type, label: t.subscribers.devices[type] ?? type }));
    return <MultiSelect {...shared} {...searched} data={data} />;
  }
  if (draft.field === 'time_zone')
    return <MultiSelect {...shared} {...searched} data={[...timeZones()]} limit={MOST_SHOWN} />;
  return (
    <TagsInput
      {...shared}
      data={[...(suggestions[draft.field] ?? [])]}
      placeholder={values.length === 0 ? words.valuesHint : ''}
      // A typed value that was not confirmed counts, too.
      acceptValueOnBlur
    />
  );
}

function CategoryInput({ app, draft, error, onChange }: ValueInputProps): ReactNode {
  const categories = useQuery(ruleCategoriesQuery(useApi(), app)).data ?? [];
  const known = categories.map(({ id, name }) => ({ value: String(id), label: name }));
  const isKnown = draft.categoryId === '' || known.some(({ value }) => value === draft.categoryId);
  return (
    <NativeSelect
      aria-label={words.category}
      value={draft.categoryId}
      error={error}
      onChange={(event) => onChange({ ...draft, categoryId: event.currentTarget.value })}
      data={[
        { value: '', label: words.categoryChoose },
        ...known,
        ...(isKnown ? [] : [{ value: draft.categoryId, label: draft.categoryId }]),
      ]}
    />
  );
}

function DeliveryInput({ app, draft, error, onChange }: ValueInputProps): ReactNode {
  const deliveries = useQuery(ruleDeliveriesQuery(useApi(), app)).data ?? [];
  const known = deliveries
    .filter(({ rehearsal, test }) => !rehearsal && !test)
    .map(({ id, name, created_at }) => ({ value: String(id), label: `${name} (${formatDay(created_at)})` }));
  const isKnown = draft.deliveryId === '' || known.some(({ value }) => value === draft.deliveryId);
  return (
    <NativeSelect
      aria-label={words.delivery}
      value={draft.deliveryId}
      error={error}
      onChange={(event) => onChange({ ...draft, deliveryId: event.currentTarget.value })}
      data={[
        { value: '', label: words.deliveryChoose },
        ...known,
        ...(isKnown ? [] : [{ value: draft.deliveryId, label: draft.deliveryId }]),
      ]}
    />
  );
}

const WHOLE = 100;
const percent = { min: 0, max: WHOLE, decimalScale: 2, suffix: percentSign(), allowNegative: false } as const;

/** From a percent of the split to another one. */
function ShareInput({ draft, error, onChange }: ValueInputProps): ReactNode {
  const numberOf = (value: string | number): number | '' => (value === '' ? '' : Number(value));
  return (
    <>
      <NumberInput
        {...percent}
        aria-label={words.shareFrom}
        value={draft.from}
        onChange={(from) => onChange({ ...draft, from: numberOf(from) })}
      />
      <NumberInput
        {...percent}
        aria-label={words.shareTo}
        value={draft.to}
        error={error}
        onChange={(to) => onChange({ ...draft, to: numberOf(to) })}
      />
    </>
  );
}
