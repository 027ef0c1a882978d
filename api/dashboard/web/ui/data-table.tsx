import { Group, Pagination, Paper, Skeleton, Text, UnstyledButton } from '@mantine/core';
import { type ReactNode, useDeferredValue } from 'react';
import { formatNumber } from '../format/format.ts';
import { t } from '../texts/t.ts';
import classes from './data-table.module.css';
import { IconArrowDown, IconArrowsSort, IconArrowUp } from './icons.ts';
import { PlainTable } from './plain-table.tsx';

export interface Column<Row> {
  readonly key: string;
  readonly header: string;
  readonly cell: (row: Row) => ReactNode;
  /** Figures are right-aligned. */
  readonly numeric?: boolean;
  /** Holds a date and a time of day: two lines at most. */
  readonly time?: boolean;
  /** The cell that names its row. */
  readonly names?: boolean;
  /** Holds buttons: its header is only read out. */
  readonly acts?: boolean;
  /** What the list is sorted by where this header is pressed. Absent: it cannot be. */
  readonly sort?: string;
}

export interface DataTableProps<Row> {
  /** The table's name, for screen readers. */
  readonly label: string;
  readonly columns: readonly Column<Row>[];
  /** Undefined while loading. */
  readonly rows: readonly Row[] | undefined;
  readonly keyOf: (row: Row) => string | number;
  readonly paging?: Paging | undefined;
  readonly sorting?: Sorting | undefined;
  /** Wider than its place, it scrolls in a place of its own. */
  readonly scrolls?: boolean;
  /** A last row that stays below all others, such as the totals: a cell for each column. */
  readonly footer?: readonly ReactNode[] | undefined;
}

export interface Sorting {
  readonly by: string;
  readonly ascending: boolean;
  readonly onSort: (by: string, ascending: boolean) => void;
}

export interface Paging {
  readonly meta: {
    current_page: number;
    last_page: number;
    from: number | null;
    to: number | null;
    total: number;
  };
  readonly onPage: (page: number) => void;
}

const LOADING_ROWS = 6;

/**
 * A table with a header that stays, a skeleton while it loads, and pages below. Where it is narrow, each row is a
 * card with all its figures; its roles are written out, because a table that is laid out otherwise loses them.
 */
export function DataTable<Row>(props: DataTableProps<Row>): ReactNode {
  const { label, columns, keyOf, paging, sorting, footer, scrolls = false } = props;
  // In slices, and a skeleton before: a page of rows is a long task on a slow phone.
  const rows = useDeferredValue(props.rows, undefined);
  return (
    <div className={classes.place}>
      <Paper withBorder className={classes.frame}>
        <section
          aria-label={label}
          className={classes.scroll}
          data-own={scrolls || undefined}
          {...scrollable}
        >
          <PlainTable label={label} spacing="roomy" isBusy={!rows} className={classes.table}>
            <thead role="rowgroup" className={classes.head}>
              <tr role="row">
                {columns.map((column) => (
                  <Header key={column.key} column={column} sorting={sorting} />
                ))}
              </tr>
            </thead>
            <tbody role="rowgroup">
              {rows === undefined
                ? Array.from({ length: LOADING_ROWS }, (_, line) => (
                    <LoadingRow key={String(line)} columns={columns} />
                  ))
                : rows.map((row) => <Line key={keyOf(row)} row={row} columns={columns} />)}
            </tbody>
            {footer !== undefined && <Footer cells={footer} columns={columns} />}
          </PlainTable>
        </section>
      </Paper>
      {paging !== undefined && paging.meta.last_page > 1 && <Pages {...paging} label={label} />}
    </div>
  );
}

// A region that scrolls must take the focus, or the keyboard cannot scroll it.
const scrollable = { tabIndex: 0 };

interface HeaderProps<Row> {
  readonly column: Column<Row>;
  readonly sorting: Sorting | undefined;
}

function Header<Row>({ column, sorting }: HeaderProps<Row>): ReactNode {
  const { header, sort, acts = false } = column;
  if (sort === undefined || sorting === undefined) {
    return (
      <th role="columnheader" scope="col" className={classOf(column)}>
        {acts ? <span className="visually-hidden">{header}</span> : header}
      </th>
    );
  }
  const isBy = sorting.by === sort;
  const Arrow = !isBy ? IconArrowsSort : sorting.ascending ? IconArrowUp : IconArrowDown;
  return (
    <th
      role="columnheader"
      scope="col"
      className={classOf(column)}
      aria-sort={isBy ? (sorting.ascending ? 'ascending' : 'descending') : 'none'}
    >
      <UnstyledButton
        className={classes.sort}
        // The largest and the latest first, then the other way around.
        onClick={() => sorting.onSort(sort, isBy && !sorting.ascending)}
      >
        {header}
        <Arrow size={13} aria-hidden />
      </UnstyledButton>
    </th>
  );
}

function Line<Row>({ row, columns }: { row: Row; columns: readonly Column<Row>[] }): ReactNode {
  return (
    <tr role="row">
      {columns.map((column) =>
        column.names ? (
          <th key={column.key} role="rowheader" scope="row" className={classOf(column)}>
            {column.cell(row)}
          </th>
        ) : (
          <td key={column.key} role="cell" {...labelOf(column)} className={classOf(column)}>
            <div>{column.cell(row)}</div>
          </td>
        ),
      )}
    </tr>
  );
}

function LoadingRow<Row>({ columns }: { columns: readonly Column<Row>[] }): ReactNode {
  return (
    <tr role="row">
      {columns.map((column) => (
        <td key={column.key} role="cell" className={classOf(column)}>
          <Skeleton height={14} />
        </td>
      ))}
    </tr>
  );
}

interface FooterProps<Row> {
  readonly cells: readonly ReactNode[];
  readonly columns: readonly Column<Row>[];
}

function Footer<Row>({ cells, columns }: FooterProps<Row>): ReactNode {
  return (
    <tfoot role="rowgroup">
      <tr role="row" className={classes.footer} data-totals>
        {columns.map((column, index) =>
          index === 0 ? (
            <th key={column.key} role="rowheader" scope="row" className={classOf(column)}>
              {cells[index]}
            </th>
          ) : (
            <td key={column.key} role="cell" {...labelOf(column)} className={classOf(column)}>
              <div>{cells[index]}</div>
            </td>
          ),
        )}
      </tr>
    </tfoot>
  );
}

/** Stands before the cell on a card. */
const labelOf = <Row,>({ header, acts = false }: Column<Row>) => (acts ? {} : { 'data-label': header });

function classOf<Row>({ numeric = false, time = false, names = false }: Column<Row>): string {
  return [numeric && classes.numeric, time && classes.time, names && classes.names].filter(Boolean).join(' ');
}

export function Pages({ meta, onPage, label }: Paging & { label: string }): ReactNode {
  return (
    <Group justify="space-between" mt="sm">
      <Text size="sm" c="dimmed" role="status">
        {t.table.range(meta.from ?? 0, meta.to ?? 0, formatNumber(meta.total))}
      </Text>
      <nav aria-label={`${label}: ${t.table.pages}`}>
        <Pagination
          total={meta.last_page}
          value={meta.current_page}
          onChange={onPage}
          size="sm"
          getItemProps={(page) => ({ 'aria-label': t.table.page(page, meta.last_page) })}
          getControlProps={(control) => ({ 'aria-label': t.table.controls[control] })}
        />
      </nav>
    </Group>
  );
}
