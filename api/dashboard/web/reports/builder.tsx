import { Alert, Button, Checkbox, Group, NativeSelect, SimpleGrid, Stack, TextInput } from '@mantine/core';
import type { FormEvent, ReactNode } from 'react';
import { t } from '../texts/t.ts';
import { Section } from '../ui/section.tsx';
import { at } from './errors.ts';
import { FilterGroups } from './filter-groups.tsx';
import { dimensions, metrics, type ReportDraft } from './report.ts';

const words = t.reports;

export interface BuilderProps {
  readonly draft: ReportDraft;
  /** Path in the body → its error. */
  readonly errors: Readonly<Record<string, string>>;
  /** Seconds until another report may be made. */
  readonly wait: number;
  readonly busy: boolean;
  readonly onChange: (draft: ReportDraft) => void;
  readonly onRun: () => void;
}

/** Puts a report together. */
export function Builder(props: BuilderProps): ReactNode {
  const { draft, errors, wait, busy, onChange, onRun } = props;
  const isEmpty = draft.dimensions.length === 0 || draft.metrics.length === 0;
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    onRun();
  };
  return (
    <form onSubmit={submit} noValidate>
      <Section title={words.build}>
        <SimpleGrid cols={{ base: 1, md: 2 }}>
          <Choices
            label={words.dimensions}
            all={dimensions}
            chosen={draft.dimensions}
            error={draft.dimensions.length === 0 ? words.dimensionsMissing : at(errors, 'dimensions')}
            onChange={(chosen) => onChange({ ...draft, dimensions: chosen })}
          />
          <Choices
            label={words.metrics}
            all={metrics}
            chosen={draft.metrics}
            error={draft.metrics.length === 0 ? words.dimensionsMissing : at(errors, 'metrics')}
            onChange={(chosen) => onChange({ ...draft, metrics: chosen })}
          />
        </SimpleGrid>
        <Options {...props} />
        <FilterGroups
          groups={draft.groups}
          errors={errors}
          onChange={(groups) => onChange({ ...draft, groups })}
        />
        {wait > 0 && (
          <Alert color="yellow" role="status">
            {words.waiting(wait)}
          </Alert>
        )}
        <Group>
          <Button type="submit" loading={busy} disabled={isEmpty || wait > 0}>
            {words.run}
          </Button>
        </Group>
      </Section>
    </form>
  );
}

interface ChoicesProps<Key extends string> {
  readonly label: string;
  readonly all: readonly Key[];
  readonly chosen: readonly Key[];
  readonly error: string | undefined;
  readonly onChange: (chosen: Key[]) => void;
}

function Choices<Key extends keyof typeof words.fields>(props: ChoicesProps<Key>): ReactNode {
  const { label, all, chosen, error, onChange } = props;
  return (
    <Checkbox.Group
      label={label}
      value={[...chosen]}
      error={error}
      // In the order of the list, which is the order of the columns.
      onChange={(values) => onChange(all.filter((each) => values.includes(each)))}
    >
      <SimpleGrid cols={2} spacing="xs" mt="xs">
        {all.map((key) => (
          <Checkbox key={key} value={key} label={words.fields[key]} />
        ))}
      </SimpleGrid>
    </Checkbox.Group>
  );
}

function Options({ draft, errors, onChange }: BuilderProps): ReactNode {
  const selected = [...draft.dimensions, ...draft.metrics];
  const isSorted = selected.some((key) => key === draft.sortBy);
  return (
    <Stack gap="sm">
      <SimpleGrid cols={{ base: 1, xs: 2, md: 4 }}>
        <TextInput
          type="date"
          label={words.from}
          value={draft.from}
          error={at(errors, 'selectedDate')}
          onChange={(event) => onChange({ ...draft, from: event.currentTarget.value })}
        />
        <TextInput
          type="date"
          label={words.to}
          value={draft.to}
          min={draft.from}
          onChange={(event) => onChange({ ...draft, to: event.currentTarget.value })}
        />
        <NativeSelect
          label={words.compare}
          value={draft.compare}
          error={at(errors, 'compare_to')}
          onChange={(event) => {
            const compare = (['', 'previous_period', 'previous_year'] as const).find(
              (each) => each === event.currentTarget.value,
            );
            onChange({ ...draft, compare: compare ?? '' });
          }}
          data={Object.entries(words.compares).map(([value, label]) => ({ value, label }))}
        />
        <NativeSelect
          label={words.currency}
          value={draft.currency}
          error={at(errors, 'currency')}
          onChange={(event) =>
            onChange({ ...draft, currency: event.currentTarget.value === 'USD' ? 'USD' : 'EUR' })
          }
          data={['EUR', 'USD']}
        />
        <NativeSelect
          label={words.sortBy}
          value={isSorted ? draft.sortBy : ''}
          error={at(errors, 'sort')}
          onChange={(event) => {
            const by = selected.find((each) => each === event.currentTarget.value);
            onChange({ ...draft, sortBy: by ?? '' });
          }}
          data={[
            { value: '', label: words.sortNone },
            ...selected.map((key) => ({ value: key, label: words.fields[key] })),
          ]}
        />
        {isSorted && (
          <NativeSelect
            label={words.order}
            value={draft.direction}
            onChange={(event) =>
              onChange({ ...draft, direction: event.currentTarget.value === 'asc' ? 'asc' : 'desc' })
            }
            data={Object.entries(words.orders).map(([value, label]) => ({ value, label }))}
          />
        )}
      </SimpleGrid>
    </Stack>
  );
}
