import { Button, Collapse, Group, NativeSelect, Paper, SimpleGrid, Stack } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { type ReactNode, useId } from 'react';
import {
  chosen,
  type FiltersProps,
  filtersIn,
  type SubscribersSearch,
  sorts,
} from '../data/subscribers/search.ts';
import { t } from '../texts/t.ts';
import { IconAdjustmentsHorizontal } from '../ui/icons.ts';
import { PhoneFilters } from '../ui/phone-filters.tsx';
import { SearchField } from '../ui/search-field.tsx';
import { useMatches } from '../ui/use-matches.ts';
import { MoreFilters } from './more-filters.tsx';

const words = t.subscribers;

/** Narrows and orders the list: the usual ones in sight, the others behind a button; on a phone all behind one. */
export function Filters(props: FiltersProps): ReactNode {
  const { search, onChange, onClear } = props;
  const isPhone = useMatches('(max-width: 48em)');
  const clear = filtersIn(search) > 0 && (
    <Button variant="subtle" onClick={onClear}>
      {words.clear}
    </Button>
  );
  const field = (
    <SearchField
      label={words.search}
      placeholder={words.searchHint}
      value={search.search ?? ''}
      onChange={(text) => onChange({ search: text })}
    />
  );
  if (!isPhone) return <WideFilters {...props} field={field} clear={clear} />;
  return (
    <PhoneFilters active={activeIn(search)} search={field}>
      <StatusField {...props} />
      <SortFields {...props} />
      <MoreFilters {...props} />
      {clear}
    </PhoneFilters>
  );
}

interface WideFiltersProps extends FiltersProps {
  readonly field: ReactNode;
  readonly clear: ReactNode;
}

function WideFilters({ field, clear, ...props }: WideFiltersProps): ReactNode {
  const hidden = hiddenIn(props.search);
  const [opened, { toggle }] = useDisclosure(hidden > 0);
  const panel = useId();
  return (
    <Stack gap="sm">
      <Group align="flex-end" gap="sm">
        {field}
        <StatusField {...props} />
        <SortFields {...props} />
        <Button
          variant="default"
          onClick={toggle}
          aria-expanded={opened}
          aria-controls={panel}
          leftSection={<IconAdjustmentsHorizontal size={16} aria-hidden />}
        >
          {words.filtersOn(hidden)}
        </Button>
        {clear}
      </Group>
      <Collapse expanded={opened} id={panel}>
        <Paper withBorder p="md">
          <SimpleGrid cols={{ base: 1, sm: 2, lg: 3 }}>
            <MoreFilters {...props} />
          </SimpleGrid>
        </Paper>
      </Collapse>
    </Stack>
  );
}

const StatusField = ({ search, onChange }: FiltersProps): ReactNode => (
  <NativeSelect
    label={words.status}
    value={search.status ?? ''}
    onChange={(event) => onChange({ status: chosen(event.currentTarget.value) })}
    data={[
      { value: '', label: words.anyStatus },
      { value: 'subscribed', label: words.statuses.subscribed },
      { value: 'unsubscribed', label: words.statuses.unsubscribed },
    ]}
  />
);

const activeIn = ({ search: _search, ...others }: SubscribersSearch): number => filtersIn(others);

const hiddenIn = ({ search: _search, status: _status, ...others }: SubscribersSearch): number =>
  filtersIn(others);

function SortFields({ search, onChange }: FiltersProps): ReactNode {
  return (
    <>
      <NativeSelect
        label={words.sort}
        value={search.sort ?? 'created_at'}
        onChange={(event) => {
          const sort = sorts.find((each) => each === event.currentTarget.value);
          onChange({ sort: sort === 'created_at' ? undefined : sort });
        }}
        data={sorts.map((sort) => ({ value: sort, label: words.sorts[sort] }))}
      />
      <NativeSelect
        label={words.order}
        value={search.direction ?? ''}
        onChange={(event) => onChange({ direction: chosen(event.currentTarget.value) })}
        data={[
          { value: '', label: words.descending },
          { value: 'asc', label: words.ascending },
        ]}
      />
    </>
  );
}
