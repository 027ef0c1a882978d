import { Group, Pagination, Paper, UnstyledButton } from '@mantine/core';
import { type KeyboardEvent, type ReactNode, useState } from 'react';
import { t } from '../texts/t.ts';
import { Change } from '../ui/change.tsx';
import { IconArrowDown, IconArrowsSort, IconArrowUp } from '../ui/icons.ts';
import { PlainTable } from '../ui/plain-table.tsx';
import type { Pressed } from './drill.ts';
import type { Cell, PivotColumn, PivotLine } from './pivot.ts';
import classes from './pivot-table.module.css';
import { cellWords, type PivotView, sortOf } from './pivot-view.ts';
import type { Dimension, ReportDraft } from './report.ts';
import { valueName } from './value-name.ts';

const PER_PAGE = 50;
const words = t.reports;

export interface PivotTableProps {
  readonly view: PivotView;
  readonly draft: ReportDraft;
  readonly currency: string;
  readonly onLook: (changes: Partial<ReportDraft>) => void;
  /** Undefined where there is no further dimension. */
  readonly onDrill: ((pressed: Pressed) => void) | undefined;
}

/** Rows × columns with totals: its heads stay, and each name and figure leads further down. */
export function PivotTable(props: PivotTableProps): ReactNode {
  const { view, draft } = props;
  const { pivot, rows, columns, metric } = view;
  const [page, setPage] = useState(1);
  const last = Math.max(1, Math.ceil(pivot.lines.length / PER_PAGE));
  const current = Math.min(page, last);
  const shown = pivot.lines.slice((current - 1) * PER_PAGE, current * PER_PAGE);
  const label = words.pivot.label(words.fields[metric], words.fields[rows], words.fields[columns]);
  return (
    <div>
      <Paper withBorder className={classes.frame}>
        <section aria-label={words.result} className={classes.scroll} {...scrollable} onKeyDown={moveFocus}>
          <PlainTable label={label} className={classes.table}>
            <thead>
              <tr>
                <Head {...props} name={words.fields[rows]} by={rows} column="" />
                {pivot.columns.map((column) => (
                  <Head
                    key={column.value ?? ''}
                    {...props}
                    name={columnName(columns, column)}
                    by={column.value === null ? null : metric}
                    column={column.value ?? ''}
                  />
                ))}
                <Head {...props} name={words.total} by={metric} column="" />
              </tr>
            </thead>
            <tbody>
              {shown.map((line) => (
                <Line key={line.value} {...props} line={line} />
              ))}
            </tbody>
            <tfoot>
              {pivot.rest !== null && (
                <Sums
                  {...props}
                  name={words.pivot.rest}
                  cells={pivot.columns.map(() => null)}
                  total={pivot.rest}
                />
              )}
              <Sums {...props} name={words.total} cells={pivot.totals.cells} total={pivot.totals.total} />
            </tfoot>
          </PlainTable>
        </section>
      </Paper>
      {last > 1 && (
        <Group justify="flex-end" mt="sm">
          <nav aria-label={`${label}: ${t.table.pages}`}>
            <Pagination
              total={last}
              value={current}
              onChange={setPage}
              size="sm"
              getItemProps={(at) => ({ 'aria-label': t.table.page(at, last) })}
              getControlProps={(control) => ({ 'aria-label': t.table.controls[control] })}
            />
          </nav>
        </Group>
      )}
      <p className="visually-hidden">{draft.trail.length === 0 ? words.pivot.keys : ''}</p>
    </div>
  );
}

// A region that scrolls must take the focus, or the keyboard cannot scroll it.
const scrollable = { tabIndex: 0 };

const columnName = (dimension: Dimension, { value, count }: PivotColumn): string =>
  value === null ? words.pivot.others(count) : valueName(dimension, value);

interface HeadProps extends PivotTableProps {
  readonly name: string;
  /** What a press sorts by; null: nothing. */
  readonly by: ReportDraft['sortBy'] | null;
  readonly column: string;
}

function Head({ view, draft, name, by, column, onLook }: HeadProps): ReactNode {
  const isName = by === view.rows;
  const className = isName ? undefined : classes.figure;
  if (by === null)
    return (
      <th scope="col" className={className}>
        {name}
      </th>
    );
  const sort = sortOf(draft, view.rows);
  const isBy = isName ? sort.by === 'name' : sort.by === 'value' && shownColumn(view, sort.column) === column;
  const isUp = sort.direction === 'asc';
  const Arrow = !isBy ? IconArrowsSort : isUp ? IconArrowUp : IconArrowDown;
  return (
    <th scope="col" className={className} aria-sort={isBy ? (isUp ? 'ascending' : 'descending') : 'none'}>
      <UnstyledButton
        className={classes.sort}
        onClick={() =>
          onLook({
            sortBy: by,
            sortColumn: column,
            direction: isBy && !isUp ? 'asc' : isName && !isBy ? 'asc' : 'desc',
          })
        }
      >
        {name}
        <Arrow size={13} aria-hidden />
      </UnstyledButton>
    </th>
  );
}

/** One that is not shown is the total, as the rows are sorted then. */
const shownColumn = ({ pivot }: PivotView, column: string): string =>
  pivot.columns.some(({ value }) => value === column) ? column : '';

function Line(props: PivotTableProps & { readonly line: PivotLine }): ReactNode {
  const { view, line, currency, onDrill } = props;
  const { rows, columns, metric, pivot } = view;
  const own = { dimension: rows, value: line.value };
  const name = valueName(rows, line.value);
  return (
    <tr>
      <th scope="row">
        <Press name={name} isFirst onPress={onDrill && (() => onDrill([own]))}>
          {name}
        </Press>
      </th>
      {line.cells.map((cell, at) => {
        const value = pivot.columns[at]?.value ?? null;
        const press =
          onDrill === undefined || value === null
            ? undefined
            : () => onDrill([own, { dimension: columns, value }]);
        return (
          <td key={value ?? ''} className={classes.figure}>
            {cell === null ? (
              <span className={classes.none}>–</span>
            ) : (
              <Figure cell={cell} metric={metric} currency={currency} onPress={press} />
            )}
          </td>
        );
      })}
      <td className={classes.total}>
        <Figure cell={line.total} metric={metric} currency={currency} onPress={undefined} />
      </td>
    </tr>
  );
}

function Sums({
  view: { metric },
  currency,
  name,
  cells,
  total,
}: PivotTableProps & {
  readonly name: string;
  readonly cells: readonly (Cell | null)[];
  readonly total: Cell;
}): ReactNode {
  return (
    <tr data-totals>
      <th scope="row">{name}</th>
      {[...cells, total].map((cell, at) => (
        <td key={String(at)} className={classes.figure}>
          {cell !== null && <Figure cell={cell} metric={metric} currency={currency} onPress={undefined} />}
        </td>
      ))}
    </tr>
  );
}

interface FigureProps {
  readonly cell: Cell;
  readonly metric: PivotView['metric'];
  readonly currency: string;
  readonly onPress: (() => void) | undefined;
}

function Figure({ cell, metric, currency, onPress }: FigureProps): ReactNode {
  const { text, change } = cellWords(cell, metric, currency);
  return (
    <>
      <Press name={text} onPress={onPress}>
        {text}
      </Press>
      {change !== null && <Change {...change} />}
    </>
  );
}

interface PressProps {
  readonly name: string;
  /** The only one of its row that Tab stops at: arrows lead to the others. */
  readonly isFirst?: boolean;
  readonly onPress: (() => void) | undefined;
  readonly children: ReactNode;
}

const Press = ({ name, isFirst = false, onPress, children }: PressProps): ReactNode =>
  onPress === undefined ? (
    children
  ) : (
    <UnstyledButton
      className={classes.press}
      data-press
      tabIndex={isFirst ? 0 : -1}
      title={words.pivot.drill(name)}
      onClick={onPress}
    >
      {children}
    </UnstyledButton>
  );

const moves: Readonly<Record<string, readonly [number, number]>> = {
  ArrowLeft: [0, -1],
  ArrowRight: [0, 1],
  ArrowUp: [-1, 0],
  ArrowDown: [1, 0],
};

/** Arrows lead from one button of the table to the next one in their direction. */
function moveFocus(event: KeyboardEvent<HTMLElement>): void {
  const move = moves[event.key];
  const { target } = event;
  if (move === undefined || !(target instanceof HTMLElement) || target.dataset.press === undefined) return;
  const cell = target.closest<HTMLTableCellElement>('td, th');
  const line = cell?.parentElement;
  const table = cell?.closest('table');
  if (cell == null || !(line instanceof HTMLTableRowElement) || table == null) return;
  event.preventDefault();
  const [down, right] = move;
  for (let row = line.rowIndex + down, column = cell.cellIndex + right; ; row += down, column += right) {
    const next = table.rows[row]?.cells[column];
    if (next === undefined) return;
    const button = next.querySelector<HTMLElement>('[data-press]');
    if (button !== null) {
      button.focus();
      return;
    }
  }
}
