import { Button, Collapse, Group, NativeSelect, Paper, SimpleGrid, Stack } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconAdjustmentsHorizontal } from '@tabler/icons-react';
import { type ReactNode, useId } from 'react';
import {
  chosen,
  type FiltersProps,
  filtersIn,
  type SubscribersSearch,
  sorts,
} from '../data/subscribers/search.ts';
import { t } from '../texts/t.ts';
import { SearchField } from '../ui/search-field.tsx';
import { MoreFilters } from './more-filters.tsx';

const words = t.subscribers;

/** Narrows and orders the list: the usual ones in sight, the others behind a button. */
export function Filters(props: FiltersProps): ReactNode {
  const { search, onChange, onClear } = props;
  const hidden = hiddenIn(search);
  const [opened, { toggle }] = useDisclosure(hidden > 0);
  const panel = useId();
  return (
    <Stack gap="sm">
      <Group align="flex-end" gap="sm">
        <SearchField
          label={words.search}
          placeholder={words.searchHint}
          value={search.search ?? ''}
          onChange={(text) => onChange({ search: text })}
        />
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
        {filtersIn(search) > 0 && (
          <Button variant="subtle" onClick={onClear}>
            {words.clear}
          </Button>
        )}
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
