import { Group, Pagination, Paper, Skeleton, Table, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { t } from '../texts/t.ts';
import classes from './data-table.module.css';
import { formatNumber } from './format.ts';

export interface Column<Row> {
  readonly key: string;
  readonly header: ReactNode;
  readonly cell: (row: Row) => ReactNode;
  /** Figures stand at the right, under each other. */
  readonly numeric?: boolean;
  /** Left out on a phone. */
  readonly wide?: boolean;
  /** The cell that names its row. */
  readonly names?: boolean;
}

export interface DataTableProps<Row> {
  /** What the table shows, for screen readers. */
  readonly label: string;
  readonly columns: readonly Column<Row>[];
  /** Undefined while loading. */
  readonly rows: readonly Row[] | undefined;
  readonly keyOf: (row: Row) => string | number;
  readonly paging?: Paging | undefined;
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

/** A table with a header that stays, a skeleton while it loads, and pages below. */
export function DataTable<Row>({ label, columns, rows, keyOf, paging }: DataTableProps<Row>): ReactNode {
  return (
    <div>
      <Paper withBorder className={classes.frame}>
        <section aria-label={label} className={classes.scroll} {...scrollable}>
          <Table verticalSpacing="sm" horizontalSpacing="md" stickyHeader highlightOnHover aria-busy={!rows}>
            <Table.Caption className="visually-hidden">{label}</Table.Caption>
            <Table.Thead className={classes.head}>
              <Table.Tr>
                {columns.map((column) => (
                  <Table.Th key={column.key} scope="col" className={classOf(column)}>
                    {column.header}
                  </Table.Th>
                ))}
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              {rows === undefined
                ? Array.from({ length: LOADING_ROWS }, (_, line) => (
                    <LoadingRow key={String(line)} columns={columns} />
                  ))
                : rows.map((row) => <Line key={keyOf(row)} row={row} columns={columns} />)}
            </Table.Tbody>
          </Table>
        </section>
      </Paper>
      {paging !== undefined && paging.meta.last_page > 1 && <Pages {...paging} label={label} />}
    </div>
  );
}

// A region that scrolls must take the focus, or the keyboard cannot scroll it.
const scrollable = { tabIndex: 0 };

function Line<Row>({ row, columns }: { row: Row; columns: readonly Column<Row>[] }): ReactNode {
  return (
    <Table.Tr>
      {columns.map((column) =>
        column.names ? (
          <Table.Th key={column.key} scope="row" className={classOf(column)}>
            {column.cell(row)}
          </Table.Th>
        ) : (
          <Table.Td key={column.key} className={classOf(column)}>
            {column.cell(row)}
          </Table.Td>
        ),
      )}
    </Table.Tr>
  );
}

function LoadingRow<Row>({ columns }: { columns: readonly Column<Row>[] }): ReactNode {
  return (
    <Table.Tr>
      {columns.map((column) => (
        <Table.Td key={column.key} className={classOf(column)}>
          <Skeleton height={14} />
        </Table.Td>
      ))}
    </Table.Tr>
  );
}

function classOf<Row>({ numeric = false, wide = false, names = false }: Column<Row>): string {
  return [numeric && classes.numeric, wide && classes.wide, names && classes.names].filter(Boolean).join(' ');
}

function Pages({ meta, onPage, label }: Paging & { label: string }): ReactNode {
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
