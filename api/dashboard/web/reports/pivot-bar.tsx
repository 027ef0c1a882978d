import { NativeSelect, SimpleGrid } from '@mantine/core';
import type { ReactNode } from 'react';
import { t } from '../texts/t.ts';
import { type Dimension, dimensions, pivotIn, type ReportDraft, shownMetric } from './report.ts';

const words = t.reports;

export interface PivotBarProps {
  readonly draft: ReportDraft;
  readonly onGo: (draft: ReportDraft) => void;
  readonly onLook: (changes: Partial<ReportDraft>) => void;
}

/** What are the rows, what the columns, and which metric is shown. */
export function PivotBar({ draft, onGo, onLook }: PivotBarProps): ReactNode {
  const pivot = pivotIn(draft);
  const rows = pivot?.rows ?? draft.dimensions[0] ?? 'day';
  const columns = pivot?.columns ?? '';
  const show = (nextRows: Dimension, nextColumns: Dimension | ''): void =>
    onGo({
      ...draft,
      dimensions: nextColumns === '' ? [nextRows] : [nextRows, nextColumns],
      columns: nextColumns,
      sortBy: [nextRows, nextColumns].some((each) => each === draft.sortBy) ? draft.sortBy : '',
      sortColumn: '',
    });
  return (
    <SimpleGrid cols={{ base: 1, xs: 3 }} maw={640}>
      <NativeSelect
        label={words.pivot.rows}
        value={rows}
        // The other way around, where the columns' is chosen.
        onChange={({ currentTarget }) => {
          const next = dimensionOf(currentTarget.value);
          if (next !== undefined) show(next, next === columns ? rows : columns);
        }}
        data={choices}
      />
      <NativeSelect
        label={words.pivot.columns}
        value={columns}
        onChange={({ currentTarget }) => {
          const next = dimensionOf(currentTarget.value) ?? '';
          show(next === rows ? (columns === '' ? another(rows) : columns) : rows, next);
        }}
        data={[{ value: '', label: words.pivot.noColumns }, ...choices]}
      />
      <NativeSelect
        label={words.chartOf}
        value={shownMetric(draft) ?? ''}
        onChange={({ currentTarget }) =>
          onLook({ metric: draft.metrics.find((each) => each === currentTarget.value) ?? '' })
        }
        data={draft.metrics.map((each) => ({ value: each, label: words.fields[each] }))}
      />
    </SimpleGrid>
  );
}

const dimensionOf = (value: string): Dimension | undefined => dimensions.find((each) => each === value);
const another = (rows: Dimension): Dimension => (rows === 'domain' ? 'day' : 'domain');
const choices = dimensions.map((value) => ({ value, label: words.fields[value] }));
