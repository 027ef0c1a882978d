import { ActionIcon, NativeSelect, NumberInput, TagsInput, Text } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { t } from '../texts/t.ts';
import classes from '../ui/conditions.module.css';
import { IconTrash } from '../ui/icons.ts';
import { at } from './errors.ts';
import { comparators, comparisons, dimensions, type FilterDraft, isMetric, metrics } from './report.ts';
import { useValues, type ValuesSource } from './use-values.ts';

const words = t.reports;

export interface FilterRowProps {
  readonly filter: FilterDraft;
  /** `Filter 1.2`. */
  readonly name: string;
  readonly errors: Readonly<Record<string, string>>;
  readonly path: string;
  readonly values: ValuesSource;
  readonly onChange: (filter: FilterDraft) => void;
  readonly onRemove: () => void;
}

/** One filter: a dimension and values of it, or a metric and its comparison. */
export function FilterRow(props: FilterRowProps): ReactNode {
  const { filter, name, errors, path, onChange, onRemove } = props;
  const problem = at(errors, path);
  return (
    <fieldset className={classes.row}>
      <legend className="visually-hidden">{name}</legend>
      <div className={classes.inputs}>
        <NativeSelect
          aria-label={words.about}
          value={filter.value}
          onChange={(event) => {
            const value = [...dimensions, ...metrics].find((each) => each === event.currentTarget.value);
            if (value !== undefined) onChange({ ...filter, value, selectedValues: [] });
          }}
          data={[
            { group: words.dimensions, items: choicesOf(dimensions) },
            { group: words.metrics, items: choicesOf(metrics) },
          ]}
        />
        {isMetric(filter.value) ? <MetricInputs {...props} /> : <DimensionInputs {...props} />}
      </div>
      <ActionIcon size="lg" aria-label={words.remove(name)} onClick={onRemove}>
        <IconTrash size={18} aria-hidden />
      </ActionIcon>
      {problem !== undefined && (
        <Text size="sm" c="var(--mantine-color-error)" role="alert" className={classes.problem}>
          {problem}
        </Text>
      )}
    </fieldset>
  );
}

const choicesOf = (keys: readonly (keyof typeof words.fields)[]) =>
  keys.map((key) => ({ value: key, label: words.fields[key] }));

function DimensionInputs({ filter, values, onChange }: FilterRowProps): ReactNode {
  const [isNear, setNear] = useState(false);
  const [isOpen, setOpen] = useState(false);
  const offered = useValues(values, isMetric(filter.value) ? 'domain' : filter.value, isNear);
  return (
    <>
      <NativeSelect
        aria-label={words.comparison}
        value={filter.comparator}
        onChange={(event) => {
          const comparator = comparators.find((each) => each === event.currentTarget.value);
          if (comparator !== undefined) onChange({ ...filter, comparator });
        }}
        data={comparators.map((each) => ({ value: each, label: words.comparators[each] }))}
      />
      <TagsInput
        aria-label={words.values}
        value={[...filter.selectedValues]}
        placeholder={filter.selectedValues.length === 0 ? words.valuesHint : ''}
        data={[...offered]}
        limit={MOST_OFFERED}
        acceptValueOnBlur
        dropdownOpened={isOpen}
        onDropdownOpen={() => {
          setNear(true);
          setOpen(true);
        }}
        onDropdownClose={() => setOpen(false)}
        onChange={(selectedValues) => {
          // Or the list would lie over what one presses next.
          setOpen(false);
          onChange({ ...filter, selectedValues });
        }}
      />
    </>
  );
}

/** Of those that begin or go on as what is typed. */
const MOST_OFFERED = 20;

const MetricInputs = ({ filter, onChange }: FilterRowProps): ReactNode => (
  <>
    <NativeSelect
      aria-label={words.comparison}
      value={filter.comparison}
      onChange={(event) => {
        const comparison = comparisons.find((each) => each === event.currentTarget.value);
        if (comparison !== undefined) onChange({ ...filter, comparison });
      }}
      data={comparisons.map((each) => ({ value: each, label: words.comparisons[each] }))}
    />
    <NumberInput
      aria-label={words.value}
      value={filter.selectedValue}
      onChange={(value) => onChange({ ...filter, selectedValue: value === '' ? '' : Number(value) })}
    />
    {filter.comparison === 'between' && (
      <NumberInput
        aria-label={words.second}
        value={filter.secondValue}
        onChange={(value) => onChange({ ...filter, secondValue: value === '' ? '' : Number(value) })}
      />
    )}
  </>
);
