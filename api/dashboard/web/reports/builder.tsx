import { Alert, Button, Group } from '@mantine/core';
import type { FormEvent, ReactNode } from 'react';
import { t } from '../texts/t.ts';
import { ChipSet } from '../ui/chip-set.tsx';
import { Section } from '../ui/section.tsx';
import { at } from './errors.ts';
import { FilterGroups } from './filter-groups.tsx';
import { Options } from './options.tsx';
import { presetNames, presets } from './presets.ts';
import { dimensions, metrics, type ReportDraft } from './report.ts';
import type { ValuesSource } from './use-values.ts';

const words = t.reports;

export interface BuilderProps {
  readonly draft: ReportDraft;
  /** Path in the body → its error. */
  readonly errors: Readonly<Record<string, string>>;
  /** Seconds until another report may be made. */
  readonly wait: number;
  readonly busy: boolean;
  readonly values: ValuesSource;
  readonly onChange: (draft: ReportDraft) => void;
  readonly onRun: (draft: ReportDraft) => void;
}

/** Puts a report together. */
export function Builder(props: BuilderProps): ReactNode {
  const { draft, errors, wait, busy, values, onChange, onRun } = props;
  const isEmpty = draft.dimensions.length === 0 || draft.metrics.length === 0;
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    onRun(draft);
  };
  return (
    <form onSubmit={submit} noValidate>
      <Section title={words.build} description={<Presets {...props} />}>
        <ChipSet
          label={words.dimensions}
          chips={chipsOf(dimensions)}
          chosen={draft.dimensions}
          error={draft.dimensions.length === 0 ? words.dimensionsMissing : at(errors, 'dimensions')}
          onChange={(chosen) => onChange({ ...draft, dimensions: chosen })}
        />
        <ChipSet
          label={words.metrics}
          chips={chipsOf(metrics)}
          chosen={draft.metrics}
          error={draft.metrics.length === 0 ? words.dimensionsMissing : at(errors, 'metrics')}
          onChange={(chosen) => onChange({ ...draft, metrics: chosen })}
        />
        <Options draft={draft} errors={errors} onChange={onChange} />
        <FilterGroups
          groups={draft.groups}
          errors={errors}
          values={values}
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

const chipsOf = <Key extends keyof typeof words.fields>(keys: readonly Key[]) =>
  keys.map((key) => ({ key, label: words.fields[key] }));

/** One press, and the report is there. */
const Presets = ({ draft, wait, busy, onRun }: BuilderProps): ReactNode => (
  <Group gap="xs" mt="xs" role="group" aria-label={words.presetsLabel}>
    {presetNames.map((name) => (
      <Button
        key={name}
        size="xs"
        variant="default"
        disabled={busy || wait > 0}
        onClick={() => onRun({ ...draft, ...presets[name] })}
      >
        {words.presets[name]}
      </Button>
    ))}
  </Group>
);
