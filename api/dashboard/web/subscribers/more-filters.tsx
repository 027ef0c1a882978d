import { Autocomplete, NativeSelect, TagsInput, TextInput } from '@mantine/core';
import { useDebouncedCallback } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { useApp } from '../data/apps/use-app.ts';
import { useApi } from '../data/http/services.tsx';
import { segmentChoicesQuery } from '../data/segments/audience-queries.ts';
import { chosen, type FiltersProps, isTag } from '../data/subscribers/search.ts';
import { countryChoices } from '../format/countries.ts';
import { deviceTypes, knownBrowsers } from '../format/known-names.ts';
import { t } from '../texts/t.ts';

const TYPING_MS = 350;
const MAX_TAGS = 10;
const words = t.subscribers;

/** Filters that are asked for less often. */
export function MoreFilters({ search, onChange }: FiltersProps): ReactNode {
  return (
    <>
      <NativeSelect
        label={words.device}
        value={search.device ?? ''}
        onChange={(event) => onChange({ device: chosen(event.currentTarget.value) })}
        data={[
          { value: '', label: words.anyDevice },
          ...deviceTypes.map((type) => ({ value: type, label: words.devices[type] ?? type })),
        ]}
      />
      <BrowserField key={search.browser ?? ''} value={search.browser ?? ''} onChange={onChange} />
      <NativeSelect
        label={words.country}
        value={search.country ?? ''}
        onChange={(event) => onChange({ country: chosen(event.currentTarget.value) })}
        data={[{ value: '', label: words.anyCountry }, ...countryChoices()]}
      />
      <SegmentField value={search.segment} onChange={onChange} />
      <TagsField tags={search.tags ?? []} onChange={onChange} />
      <TextInput
        type="date"
        label={words.from}
        value={search.from ?? ''}
        max={search.to}
        onChange={(event) => onChange({ from: chosen(event.currentTarget.value) })}
      />
      <TextInput
        type="date"
        label={words.to}
        value={search.to ?? ''}
        min={search.from}
        onChange={(event) => onChange({ to: chosen(event.currentTarget.value) })}
      />
    </>
  );
}

function SegmentField({
  value,
  onChange,
}: {
  value: number | undefined;
  onChange: FiltersProps['onChange'];
}) {
  const { identifier } = useApp();
  const segments = useQuery(segmentChoicesQuery(useApi(), identifier)).data?.data ?? [];
  const known = segments.map(({ id, name }) => ({ value: String(id), label: name }));
  const isKnown = value === undefined || segments.some(({ id }) => id === value);
  return (
    <NativeSelect
      label={words.segment}
      value={value === undefined ? '' : String(value)}
      onChange={({ currentTarget: { value: id } }) =>
        onChange({ segment: id === '' ? undefined : Number(id) })
      }
      data={[
        { value: '', label: words.anySegment },
        ...known,
        // One that is older than the list goes stays chosen.
        ...(isKnown ? [] : [{ value: String(value), label: t.compose.otherSegment(Number(value)) }]),
      ]}
    />
  );
}

function BrowserField({ value, onChange }: { value: string; onChange: FiltersProps['onChange'] }) {
  const tell = useDebouncedCallback((text: string) => onChange({ browser: chosen(text) }), TYPING_MS);
  return (
    <Autocomplete
      label={words.browser}
      placeholder={words.browserHint}
      data={[...knownBrowsers]}
      defaultValue={value}
      maxLength={255}
      onChange={(text) => tell(text.trim())}
    />
  );
}

function TagsField({ tags, onChange }: { tags: readonly string[]; onChange: FiltersProps['onChange'] }) {
  const [isWrong, setWrong] = useState(false);
  return (
    <TagsInput
      label={words.tags}
      placeholder={tags.length === 0 ? words.tagsHint : ''}
      value={[...tags]}
      maxTags={MAX_TAGS}
      error={isWrong && words.tagWrong}
      onChange={(next) => {
        const good = next.filter(isTag);
        setWrong(good.length < next.length);
        if (good.length !== tags.length) onChange({ tags: good.length === 0 ? undefined : good });
      }}
    />
  );
}
