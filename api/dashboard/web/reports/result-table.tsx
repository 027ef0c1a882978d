import { UnstyledButton } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { t } from '../texts/t.ts';
import { Change } from '../ui/change.tsx';
import { type Column, DataTable } from '../ui/data-table.tsx';
import type { Pressed } from './drill.ts';
import classes from './pivot-table.module.css';
import type { Dimension, Metric, ReportDraft } from './report.ts';
import { columnsOf, type MadeReport, type ResultColumn } from './result.ts';
import type { Row } from './rows.ts';

const PER_PAGE = 50;
const words = t.reports;

interface Line {
  readonly number: number;
  readonly row: Row;
}

export interface ResultTableProps {
  readonly report: MadeReport;
  readonly onSort: (by: Dimension | Metric, direction: 'asc' | 'desc') => void;
  /** Undefined where there is no further dimension. */
  readonly onDrill: ((pressed: Pressed) => void) | undefined;
}

/** The rows in pages, sorted by the column whose header one presses. */
export function ResultTable({ report, onSort, onDrill }: ResultTableProps): ReactNode {
  const [page, setPage] = useState(1);
  const { draft, answer } = report;
  const { data, meta } = answer;
  const columns = columnsOf(report);
  const last = Math.max(1, Math.ceil(data.length / PER_PAGE));
  const current = Math.min(page, last);
  const from = (current - 1) * PER_PAGE;
  const lines = data.slice(from, from + PER_PAGE).map((row, index) => ({ number: from + index, row }));
  return (
    <DataTable
      label={words.result}
      columns={columns.map((column, index) => ({
        ...tableColumn(column, index),
        ...(index === 0 && onDrill !== undefined
          ? {
              cell: ({ row }: Line) => (
                <Press draft={draft} row={row} name={column.text(row)} onDrill={onDrill} />
              ),
            }
          : {}),
      }))}
      rows={lines}
      keyOf={({ number }) => number}
      scrolls
      sorting={{
        by: draft.sortBy,
        ascending: draft.direction === 'asc',
        onSort: (by, ascending) => {
          const column = columns.find(({ key }) => key === by);
          setPage(1);
          if (column !== undefined) onSort(column.key, ascending ? 'asc' : 'desc');
        },
      }}
      footer={meta.totals === undefined ? undefined : footerOf(columns, meta.totals)}
      paging={{
        meta: {
          current_page: current,
          last_page: last,
          from: from + 1,
          to: from + lines.length,
          total: data.length,
        },
        onPage: setPage,
      }}
    />
  );
}

const tableColumn = (column: ResultColumn, index: number): Column<Line> => ({
  key: column.key,
  header: column.header,
  numeric: column.numeric,
  names: index === 0,
  sort: column.key,
  cell: ({ row }) => <Cell column={column} row={row} />,
});

function Cell({ column, row }: { column: ResultColumn; row: Row }): ReactNode {
  const change = column.change(row);
  return (
    <>
      {column.text(row)}
      {change !== null && <Change {...change} />}
    </>
  );
}

interface PressProps {
  readonly draft: ReportDraft;
  readonly row: Row;
  readonly name: string;
  readonly onDrill: (pressed: Pressed) => void;
}

/** The name of a row, which leads further down into it. */
function Press({ draft, row, name, onDrill }: PressProps): ReactNode {
  const pressed = draft.dimensions.map((dimension) => ({ dimension, value: String(row[dimension] ?? '') }));
  return (
    <UnstyledButton
      className={classes.press}
      title={words.pivot.drill(name)}
      onClick={() => onDrill(pressed)}
    >
      {name}
    </UnstyledButton>
  );
}

/** A cell for each column: of dimensions there is no total. */
const footerOf = (columns: readonly ResultColumn[], totals: Row): ReactNode[] =>
  columns.map((column, index) =>
    column.numeric ? <Cell key={column.key} column={column} row={totals} /> : index === 0 ? words.total : '',
  );
