import { Button, Divider, Group, Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { t } from '../texts/t.ts';
import classes from '../ui/conditions.module.css';
import { IconPlus, IconTrash } from '../ui/icons.ts';
import { FilterRow } from './filter-row.tsx';
import { type FilterDraft, type GroupDraft, newFilter, newFilterGroup } from './report.ts';
import type { ValuesSource } from './use-values.ts';

const MOST_GROUPS = 16;
const MOST_FILTERS = 20;
const words = t.reports;

export interface FilterGroupsProps {
  readonly groups: readonly GroupDraft[];
  readonly errors: Readonly<Record<string, string>>;
  readonly values: ValuesSource;
  readonly onChange: (groups: readonly GroupDraft[]) => void;
}

/** Groups of filters: one of the groups is enough, and within it every filter must hold. */
export function FilterGroups({ groups, errors, values, onChange }: FilterGroupsProps): ReactNode {
  const replace = (group: GroupDraft): void =>
    onChange(
      groups.map((each) => (each.id === group.id ? group : each)).filter(({ filters }) => filters.length > 0),
    );
  return (
    <Stack gap="sm">
      <div>
        <Text fw={600} size="sm">
          {words.filters}
        </Text>
        <Text size="sm" c="dimmed">
          {words.filtersAbout}
        </Text>
      </div>
      {groups.map((group, index) => (
        <div key={group.id}>
          {index > 0 && <Divider label={words.or} mb="sm" />}
          <OneGroup group={group} index={index} errors={errors} values={values} onChange={replace} />
        </div>
      ))}
      <Group>
        <Button
          size="xs"
          variant="default"
          leftSection={<IconPlus size={14} aria-hidden />}
          disabled={groups.length >= MOST_GROUPS}
          onClick={() => onChange([...groups, newFilterGroup()])}
        >
          {words.addGroup}
        </Button>
      </Group>
    </Stack>
  );
}

interface OneGroupProps {
  readonly group: GroupDraft;
  readonly index: number;
  readonly errors: FilterGroupsProps['errors'];
  readonly values: ValuesSource;
  /** A group that is left without filters goes. */
  readonly onChange: (group: GroupDraft) => void;
}

function OneGroup({ group, index, errors, values, onChange }: OneGroupProps): ReactNode {
  const { filters } = group;
  const name = words.group(index + 1);
  const replace = (filter: FilterDraft): void =>
    onChange({ ...group, filters: filters.map((each) => (each.id === filter.id ? filter : each)) });
  return (
    <fieldset className={classes.group}>
      <legend className="visually-hidden">{name}</legend>
      <Stack gap="sm">
        {filters.map((filter, place) => (
          <FilterRow
            key={filter.id}
            filter={filter}
            name={words.filter(index + 1, place + 1)}
            errors={errors}
            values={values}
            path={`filter_groups.${index}.filters.${place}`}
            onChange={replace}
            onRemove={() => onChange({ ...group, filters: filters.filter(({ id }) => id !== filter.id) })}
          />
        ))}
        <Group justify="space-between">
          <Button
            size="xs"
            variant="subtle"
            leftSection={<IconPlus size={14} aria-hidden />}
            disabled={filters.length >= MOST_FILTERS}
            onClick={() => onChange({ ...group, filters: [...filters, newFilter()] })}
          >
            {words.addFilter}
          </Button>
          {filters.length > 1 && (
            <Button
              size="xs"
              variant="subtle"
              color="gray"
              leftSection={<IconTrash size={14} aria-hidden />}
              onClick={() => onChange({ ...group, filters: [] })}
            >
              {words.remove(name)}
            </Button>
          )}
        </Group>
      </Stack>
    </fieldset>
  );
}
