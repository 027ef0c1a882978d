import { Button, Group, Paper, Stack, Text, Title } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { t } from '../texts/t.ts';
import { IconDownload, IconTable } from '../ui/icons.ts';
import { figureClass, PlainTable } from '../ui/plain-table.tsx';
import classes from './chart-card.module.css';
import { type Cell, downloadCsv } from './csv.ts';

/** A chart's data as a table: for users who cannot see the chart, and for export. */
export interface ChartTable {
  readonly columns: readonly {
    readonly header: string;
    /** For figures; texts are shown as they are. */
    readonly format?: (value: number, line: number) => string;
  }[];
  readonly rows: readonly (readonly Cell[])[];
  /** A row's first cell as a link to what it counts. */
  readonly lead?: (line: number, text: string) => ReactNode;
}

export interface ChartCardProps {
  readonly title: string;
  readonly description?: ReactNode;
  /** The file’s name without its ending. */
  readonly file: string;
  readonly table: ChartTable;
  /** The text of an empty chart. */
  readonly empty?: ReactNode;
  /** The chart. */
  readonly children: ReactNode;
}

const words = t.charts;

/** A chart under its heading, with the same figures as a table and as a file. */
export function ChartCard({ title, description, file, table, empty, children }: ChartCardProps): ReactNode {
  const [asTable, setAsTable] = useState(false);
  const headers = table.columns.map(({ header }) => header);
  const hasFigures = empty === undefined || empty === null || empty === false;
  return (
    <Paper withBorder p="lg" component="section" aria-label={title} className={classes.card}>
      <Stack gap="md">
        <Group justify="space-between" align="flex-start" gap="sm">
          <div className={classes.head}>
            <Title order={2} size="h4">
              {title}
            </Title>
            {description !== undefined && (
              <Text size="sm" c="dimmed" mt={2}>
                {description}
              </Text>
            )}
          </div>
          {hasFigures && (
            <Group gap="xs">
              <Button
                size="xs"
                variant={asTable ? 'light' : 'default'}
                leftSection={<IconTable size={14} aria-hidden />}
                aria-label={words.asTable(title)}
                aria-pressed={asTable}
                onClick={() => setAsTable(!asTable)}
              >
                {words.table}
              </Button>
              <Button
                size="xs"
                variant="default"
                leftSection={<IconDownload size={14} aria-hidden />}
                aria-label={words.csvOf(title)}
                onClick={() => downloadCsv(`${file}.csv`, headers, table.rows)}
              >
                {words.csv}
              </Button>
            </Group>
          )}
        </Group>
        {hasFigures ? (
          <>
            {!asTable && <div aria-hidden="true">{children}</div>}
            <Figures title={title} table={table} isShown={asTable} />
          </>
        ) : (
          <Text size="sm" c="dimmed">
            {empty}
          </Text>
        )}
      </Stack>
    </Paper>
  );
}

function Figures({
  title,
  table,
  isShown,
}: {
  title: string;
  table: ChartTable;
  isShown: boolean;
}): ReactNode {
  return (
    // A region that scrolls must take the focus, or the keyboard cannot scroll it.
    <div className={isShown ? classes.scroll : 'visually-hidden'} {...(isShown ? scrollable : {})}>
      <PlainTable label={title}>
        <thead>
          <tr>
            {table.columns.map(({ header }, column) => (
              <th key={header} scope="col" className={column > 0 ? figureClass : undefined}>
                {header}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {table.rows.map((row, line) => (
            <tr key={String(line)}>
              {row.map((cell, column) => (
                <TableCell
                  key={table.columns[column]?.header}
                  cell={cell}
                  column={column}
                  line={line}
                  table={isShown ? table : withoutLinks(table)}
                />
              ))}
            </tr>
          ))}
        </tbody>
      </PlainTable>
    </div>
  );
}

const scrollable = { tabIndex: 0, role: 'group', 'aria-label': words.table };

/** Nobody can see where the focus is in a hidden table. */
const withoutLinks = ({ columns, rows }: ChartTable): ChartTable => ({ columns, rows });

/** The first cell names its row. */
function TableCell({
  cell,
  column,
  line,
  table,
}: {
  cell: Cell;
  column: number;
  line: number;
  table: ChartTable;
}): ReactNode {
  const format = table.columns[column]?.format;
  const text = typeof cell === 'number' && format !== undefined ? format(cell, line) : cell;
  return column === 0 ? (
    <th scope="row">{table.lead?.(line, String(text)) ?? text}</th>
  ) : (
    <td className={figureClass}>{text}</td>
  );
}
