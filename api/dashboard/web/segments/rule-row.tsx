import { ActionIcon, NativeSelect, Text, TextInput } from '@mantine/core';
import { type ReactNode, useEffect, useRef } from 'react';
import { type ConditionDraft, fields, hasKey, operatorsOf, withField } from '../data/segments/draft.ts';
import { t } from '../texts/t.ts';
import classes from '../ui/conditions.module.css';
import { IconTrash } from '../ui/icons.ts';
import { ValueInput } from './value-input.tsx';

const words = t.rule;

export interface RowProps {
  readonly app: string;
  readonly draft: ConditionDraft;
  /** `2.1`: the second of the outer group, the first in it. */
  readonly number: string;
  /** Field of the condition → its error; `''` is the whole. */
  readonly errors: Readonly<Record<string, string>>;
  /** A row that was just added takes the focus. */
  readonly isNew: boolean;
  readonly onChange: (draft: ConditionDraft) => void;
  readonly onRemove: () => void;
}

/** One condition: its field, its comparison, and its value. */
export function RuleRow({ app, draft, number, errors, isNew, onChange, onRemove }: RowProps): ReactNode {
  const first = useRef<HTMLSelectElement>(null);
  useEffect(() => {
    if (isNew) first.current?.focus();
  }, [isNew]);
  const name = words.row(number);
  const { key, split, value, values, category_id, date, days, delivery_id, below, ...rest } = errors;
  const asked = value ?? values ?? category_id ?? date ?? days ?? delivery_id ?? below;
  const others = Object.values(rest).join(' ');
  return (
    <fieldset className={classes.row}>
      <legend className="visually-hidden">{name}</legend>
      <div className={classes.inputs}>
        <NativeSelect
          ref={first}
          aria-label={words.field}
          value={draft.field}
          onChange={(event) => {
            const field = fields.find((each) => each === event.currentTarget.value);
            if (field !== undefined) onChange(withField(draft, field));
          }}
          data={fields.map((field) => ({ value: field, label: words.fields[field] }))}
        />
        {hasKey(draft) && (
          <TextInput
            aria-label={draft.field === 'tag' ? words.key : words.split}
            placeholder={draft.field === 'tag' ? words.keyHint : words.splitHint}
            value={draft.key}
            maxLength={255}
            error={key ?? split}
            onChange={(event) => onChange({ ...draft, key: event.currentTarget.value })}
          />
        )}
        <NativeSelect
          aria-label={words.operator}
          value={draft.operator}
          onChange={(event) => {
            const operator = operatorsOf[draft.field].find((each) => each === event.currentTarget.value);
            if (operator !== undefined) onChange({ ...draft, operator });
          }}
          data={operatorsOf[draft.field].map((operator) => ({
            value: operator,
            label: words.operators[operator],
          }))}
        />
        <ValueInput app={app} draft={draft} error={asked} onChange={onChange} />
      </div>
      <ActionIcon size="lg" aria-label={words.remove(name)} onClick={onRemove}>
        <IconTrash size={18} aria-hidden />
      </ActionIcon>
      {others !== '' && (
        <Text size="sm" c="var(--mantine-color-error)" role="alert" className={classes.problem}>
          {others}
        </Text>
      )}
    </fieldset>
  );
}
