import type { Node } from 'libpg-query';
import { answerCatalogue, asksReports } from './catalogue.ts';
import { catalogueType } from './catalogue-tables.ts';
import { evaluate, type Scope } from './evaluate.ts';
import type { WireColumn } from './messages.ts';
import { planOf, type ReportSettings, shapeOf } from './plan.ts';
import { type Query, queryOf } from './query.ts';
import { type Asker, type RunDeps, runReport, type WireAnswer } from './run-report.ts';
import { defaultSettings, settingNames, settingNotice, shownSetting, withSetting } from './settings.ts';
import { MAX_STATEMENT_BYTES, parseStatements, refuseStatement } from './sql.ts';
import { columnType } from './table.ts';
import { parameterTypes, type Rows } from './types.ts';
import { type SqlType, textOf, type Value } from './values.ts';
import { WireError } from './wire-error.ts';
import type { Work } from './work.ts';

/** A statement that was read, ready to be described and run. */
export interface Prepared {
  readonly node: Node | null;
  readonly parameters: readonly SqlType[];
  /** Null: it has no rows. */
  readonly columns: readonly WireColumn[] | null;
  readonly kind: StatementKind;
}

export type StatementKind = 'report' | 'catalogue' | 'session';

export interface Ran extends Partial<WireAnswer> {
  readonly tag: string;
  readonly settings?: ReportSettings;
  readonly transaction?: 'begin' | 'end';
}

/** A fifth of a second of the process: some six expressions of a day that are tried on each. */
const MAX_STEPS = 300_000;
/** Of the rows of an answer, which leave the process time for others between pieces. */
const MAX_ROW_STEPS = 50_000_000;

export function createScope(
  parameters: readonly Value[] | null,
  nowMs: number,
  most = MAX_STEPS,
): Scope & { steps(): number } {
  let steps = 0;
  return {
    steps: () => steps,
    nowMs,
    valueOf: () => undefined,
    parameter: (number) => parameterAt(parameters, number),
    step: (count = 1) => {
      steps += count;
      if (steps > most) throw new WireError('54001', 'the statement takes too many steps');
    },
  };
}

function parameterAt(parameters: readonly Value[] | null, number: number): Value {
  if (parameters === null) return null;
  const value = parameters[number - 1];
  if (value === undefined) throw new WireError('42P02', `there is no parameter $${number}`);
  return value;
}

/** @returns the statements of a text: to read a byte takes about a step. */
export function readStatements(text: string, work: Work): Node[] {
  work.add(Math.min(text.length, MAX_STATEMENT_BYTES));
  return parseStatements(text);
}

/** Of the plan of a report, which counts against a rate of its own. */
const USUAL_STEPS = 100_000;

/** Steps beyond the free ones count as work, and all of a statement that is refused: that one counts against no rate. */
function counting<Made>(work: Work, scope: { steps(): number }, free: number, make: () => Made): Made {
  let isMade = false;
  try {
    const made = make();
    isMade = true;
    return made;
  } finally {
    work.note(Math.max(0, scope.steps() - (isMade ? free : 0)));
  }
}

const asReport = (node: Node): Query | null =>
  'SelectStmt' in node && asksReports(node.SelectStmt) ? queryOf(node.SelectStmt) : null;

/** @throws WireError for what is outside the grammar. */
export function prepare(
  node: Node | null,
  declared: readonly (SqlType | null)[],
  { now, work }: { now(): number; readonly work: Work },
): Prepared {
  const nowMs = now();
  if (node === null) return { node, parameters: [], columns: null, kind: 'session' };
  work.add(0);
  const query = asReport(node);
  const parameters = parameterTypes(node, declared, query === null ? catalogueType : columnType);
  if (query !== null) {
    const scope = createScope(null, nowMs);
    const { columns } = counting(work, scope, 0, () => shapeOf(query, scope));
    return { node, parameters, columns, kind: 'report' };
  }
  if ('SelectStmt' in node)
    return {
      node,
      parameters,
      columns: answerCatalogue(node.SelectStmt, () => null, nowMs, work).columns,
      kind: 'catalogue',
    };
  if ('VariableShowStmt' in node)
    return {
      node,
      parameters,
      columns: shownColumns(node.VariableShowStmt.name ?? ''),
      kind: 'session',
    };
  if (!isSession(node)) throw refuseStatement(node);
  return { node, parameters, columns: null, kind: 'session' };
}

const shownColumns = (name: string): WireColumn[] =>
  (name === 'all' ? ['name', 'setting', 'description'] : [name]).map((column) => ({
    name: column,
    type: 'text',
  }));

const shownRows = (name: string, settings: ReportSettings): Rows['rows'] =>
  name === 'all'
    ? settingNames.map((one) => [one, shownSetting(settings, one), ''])
    : [[shownSetting(settings, name)]];

const isSession = (node: Node): boolean =>
  'VariableSetStmt' in node ||
  'TransactionStmt' in node ||
  'DiscardStmt' in node ||
  'DeallocateStmt' in node ||
  'ClosePortalStmt' in node ||
  'UnlistenStmt' in node;

async function* batchOf(rows: Rows['rows']): WireAnswer['rows'] {
  yield rows;
}

/** @throws WireError where it is refused or fails. */
export async function runStatement(
  { node }: Prepared,
  parameters: readonly Value[],
  settings: ReportSettings,
  asker: Omit<Asker, 'scope'> & { readonly work: Work },
  deps: RunDeps & { readonly now: () => number },
): Promise<Ran> {
  if (node === null) return { tag: '' };
  const scope = createScope(parameters, deps.now());
  const query = asReport(node);
  if (query !== null) {
    const rowScope = createScope(parameters, deps.now(), MAX_ROW_STEPS);
    const plan = counting(asker.work, scope, USUAL_STEPS, () =>
      planOf(query, shapeOf(query, scope), settings, scope),
    );
    return { tag: 'SELECT', ...(await runReport(plan, { ...asker, scope: rowScope }, deps)) };
  }
  if ('SelectStmt' in node) {
    const { rows } = answerCatalogue(
      node.SelectStmt,
      (number) => parameterAt(parameters, number),
      deps.now(),
      asker.work,
    );
    return { tag: 'SELECT', rows: batchOf(rows) };
  }
  if ('VariableShowStmt' in node)
    return { tag: 'SHOW', rows: batchOf(shownRows(node.VariableShowStmt.name ?? '', settings)) };
  if ('TransactionStmt' in node) return transaction(node.TransactionStmt.kind ?? '');
  if ('VariableSetStmt' in node) return set(node.VariableSetStmt, settings, scope);
  if ('DiscardStmt' in node) return { tag: 'DISCARD ALL', settings: defaultSettings };
  return { tag: 'DEALLOCATE' };
}

function set(
  { name = '', kind, args = [] }: Extract<Node, { VariableSetStmt: unknown }>['VariableSetStmt'],
  settings: ReportSettings,
  scope: Scope,
): Ran {
  if (kind === 'VAR_RESET_ALL') return { tag: 'RESET', settings: defaultSettings };
  const tag = kind === 'VAR_RESET' ? 'RESET' : 'SET';
  const [arg] = args;
  const value = arg === undefined || kind !== 'VAR_SET_VALUE' ? null : evaluate(arg, scope);
  if (value !== null) {
    const notice = settingNotice(name, textOf(value));
    const changed = withSetting(settings, name, textOf(value));
    return { tag, settings: changed, ...(notice === null ? {} : { notices: [notice] }) };
  }
  if (!name.startsWith('report.')) return { tag, settings };
  return { tag, settings: withSetting(settings, name, shownSetting(defaultSettings, name)) };
}

const tags: Readonly<Record<string, Ran>> = {
  TRANS_STMT_BEGIN: { tag: 'BEGIN', transaction: 'begin' },
  TRANS_STMT_START: { tag: 'START TRANSACTION', transaction: 'begin' },
  TRANS_STMT_COMMIT: { tag: 'COMMIT', transaction: 'end' },
  TRANS_STMT_ROLLBACK: { tag: 'ROLLBACK', transaction: 'end' },
  TRANS_STMT_SAVEPOINT: { tag: 'SAVEPOINT' },
  TRANS_STMT_RELEASE: { tag: 'RELEASE' },
  TRANS_STMT_ROLLBACK_TO: { tag: 'ROLLBACK', transaction: 'begin' },
};

function transaction(kind: string): Ran {
  const known = tags[kind];
  if (known === undefined) throw new WireError('0A000', 'prepared transactions are not supported');
  return known;
}
