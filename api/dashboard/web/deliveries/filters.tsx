import { NativeSelect, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useApp } from '../data/apps/use-app.ts';
import { categoriesQuery } from '../data/categories/queries.ts';
import { type DeliveriesSearch, searchIns, statuses } from '../data/deliveries/search.ts';
import { useApi } from '../data/http/services.tsx';
import { t } from '../texts/t.ts';
import { PhoneFilters } from '../ui/phone-filters.tsx';
import { SearchField } from '../ui/search-field.tsx';

const words = t.deliveries;

export interface FiltersProps {
  readonly search: DeliveriesSearch;
  readonly onChange: (change: Filter) => void;
}

/** Undefined takes the filter away. */
export type Filter = { readonly [Key in keyof DeliveriesSearch]?: DeliveriesSearch[Key] | undefined };

export function Filters({ search, onChange }: FiltersProps): ReactNode {
  return (
    <PhoneFilters
      active={activeIn(search)}
      search={
        <SearchField
          label={words.search}
          placeholder={words.searchHint}
          value={search.search ?? ''}
          onChange={(text) => onChange({ search: text })}
        />
      }
    >
      <NativeSelect
        flex="1 1 8rem"
        label={words.searchIn}
        value={search.within ?? 'title'}
        onChange={({ currentTarget: { value } }) =>
          onChange({ within: value === 'name' ? value : undefined })
        }
        data={searchIns.map((value) => ({ value, label: words.searchIns[value] }))}
      />
      <NativeSelect
        flex="1 1 11rem"
        label={words.status}
        value={search.status ?? search.approval ?? (search.test ? 'test' : '')}
        onChange={({ currentTarget: { value } }) =>
          onChange({
            status: statuses.find((each) => each === value),
            approval: value === 'waiting' ? value : undefined,
            test: value === 'test' ? true : undefined,
          })
        }
        data={[
          { value: '', label: words.anyStatus },
          ...statuses.map((value) => ({ value, label: words.statusChoices[value] })),
          { value: 'waiting', label: t.approvals.waits },
          { value: 'test', label: words.test },
        ]}
      />
      <CategoryField value={search.category} onChange={(category) => onChange({ category })} />
      <DayField label={words.from} value={search.from} onChange={(from) => onChange({ from })} />
      <DayField label={words.to} value={search.to} onChange={(to) => onChange({ to })} />
    </PhoneFilters>
  );
}

const filters = ['status', 'approval', 'test', 'category', 'from', 'to'] as const;
const activeIn = (search: DeliveriesSearch): number =>
  filters.filter((name) => search[name] !== undefined).length;

interface FieldProps {
  readonly value: string | undefined;
  readonly onChange: (value: string | undefined) => void;
}

/** Left out where the app has no categories, as most. */
function CategoryField({ value, onChange }: FieldProps): ReactNode {
  const { identifier } = useApp();
  const names = useQuery(categoriesQuery(useApi(), identifier)).data?.data.map(({ name }) => name) ?? [];
  if (names.length === 0 && value === undefined) return null;
  const all = value === undefined || names.includes(value) ? names : [value, ...names];
  return (
    <NativeSelect
      flex="1 1 8rem"
      label={words.category}
      value={value ?? ''}
      onChange={(event) => onChange(event.currentTarget.value || undefined)}
      data={[{ value: '', label: words.anyCategory }, ...all]}
    />
  );
}

const DayField = ({ label, value, onChange }: FieldProps & { label: string }): ReactNode => (
  <TextInput
    type="date"
    flex="1 1 8.5rem"
    label={label}
    value={value ?? ''}
    onChange={(event) => onChange(event.currentTarget.value || undefined)}
  />
);
