import { hasSqlDetails, loadModule, type Node, parseSync, type RawStmt } from 'libpg-query';
import { unsupported, WireError } from './wire-error.ts';

/** Postgres' own grammar, as trees. */

export const MAX_STATEMENT_BYTES = 32_768;
/** In one simple query. */
const MAX_STATEMENTS = 16;
/**
 * The grammar's stack has no guard of its own: chains of operators and nested parentheses use it up, and after a few
 * of these it would read no statement of anybody. It bears three times as many operators and as many levels.
 */
const MAX_OPERATORS = 2_000;
const MAX_LEVELS = 500;
const operator =
  /[-+*/%^<>=|&~!@#?:]|\b(?:not|is|isnull|notnull|in|at|collate|like|ilike|similar|between|operator|join|union|intersect|except)\b/gi;

export const loadGrammar = (): Promise<void> => loadModule();

/** @returns the statements of a text; none of an empty one. @throws WireError where Postgres could not read it. */
export function parseStatements(text: string): Node[] {
  if (Buffer.byteLength(text) > MAX_STATEMENT_BYTES)
    throw new WireError('54000', `a statement has at most ${MAX_STATEMENT_BYTES} bytes here`);
  // The grammar answers an empty text with an error of its own.
  if (/^[\s;]*$/.test(text)) return [];
  checkDepth(text);
  const statements = parsed(text).flatMap(({ stmt }) => (stmt === undefined ? [] : [stmt]));
  if (statements.length > MAX_STATEMENTS)
    throw new WireError('54000', `at most ${MAX_STATEMENTS} statements are taken at a time`);
  return statements;
}

/** Also counts what is quoted: a bound for all texts. */
function checkDepth(text: string): void {
  if ((text.match(operator)?.length ?? 0) > MAX_OPERATORS) throw tooDeep();
  let levels = 0;
  for (const character of text) {
    if (character === '(' || character === '[') levels++;
    else if (character === ')' || character === ']') levels--;
    if (levels > MAX_LEVELS) throw tooDeep();
  }
}

function parsed(text: string): readonly RawStmt[] {
  try {
    return parseSync(text).stmts ?? [];
  } catch (error) {
    if (!hasSqlDetails(error)) throw error;
    if (/memory exhausted/.test(error.message)) throw tooDeep();
    const refused = new WireError('42601', error.message);
    const { cursorPosition = 0 } = error.sqlDetails ?? {};
    refused.at = Buffer.byteLength([...text].slice(0, cursorPosition).join(''));
    throw refused;
  }
}

export const tooDeep = (): WireError => new WireError('54001', 'the statement is nested too deeply');

/** The kind of a node and what it holds: each has one key. */
export function kindOf(node: Node): string {
  return Object.keys(node)[0] ?? '';
}

/** The name parts of a column; `*` at the end of all of them. */
export function partsOf(node: Node): readonly string[] | null {
  if (!('ColumnRef' in node)) return null;
  return (node.ColumnRef.fields ?? []).map((field) => {
    if ('String' in field) return field.String.sval ?? '';
    return 'A_Star' in field ? '*' : '';
  });
}

/** Of a list of String nodes: a function's or an operator's name without its schema. */
export function lastName(names: readonly Node[] | undefined): string {
  const last = names?.at(-1);
  return last !== undefined && 'String' in last ? (last.String.sval ?? '') : '';
}

/** Each node below, the node included, until `visit` says not to go further down. */
export function walk(node: unknown, visit: (node: Node) => boolean): void {
  if (Array.isArray(node)) {
    for (const one of node) walk(one, visit);
    return;
  }
  if (typeof node !== 'object' || node === null) return;
  if (!visit(node as Node)) return;
  for (const value of Object.values(node)) walk(value, visit);
}

/** Objects in the trees of a query: a few more than those of the largest statement. Names of names would make millions. */
const MAX_SIZE = 60_000;
/** Of objects in each other: about 200 operators in a row. */
const MAX_DEPTH = 600;

/**
 * @returns its objects.
 * @throws WireError where a tree is too large to be walked again and again, or from each of its levels.
 */
export function checkSize(tree: unknown, mostDepth = MAX_DEPTH): number {
  let size = 0;
  const check = (part: unknown, depth: number): void => {
    if (typeof part !== 'object' || part === null) return;
    if (++size > MAX_SIZE || depth > mostDepth) throw tooDeep();
    for (const one of Object.values(part)) check(one, depth + 1);
  };
  check(tree, 0);
  return size;
}

/** Postgres' own bound on a select list. */
const MAX_COLUMNS = 1_664;

export function boundedColumns<Column>(columns: readonly Column[]): readonly Column[] {
  if (columns.length > MAX_COLUMNS)
    throw new WireError('54011', `target lists can have at most ${MAX_COLUMNS} entries`);
  return columns;
}

/** A copy in which columns are replaced. */
export function replaceColumns<Tree>(tree: Tree, replace: (parts: readonly string[]) => Node | null): Tree {
  if (Array.isArray(tree)) return tree.map((one) => replaceColumns(one, replace)) as Tree;
  if (typeof tree !== 'object' || tree === null) return tree;
  const parts = 'ColumnRef' in tree ? partsOf(tree as Node) : null;
  const other = parts === null ? null : replace(parts);
  if (other !== null) return other as Tree;
  return Object.fromEntries(
    Object.entries(tree).map(([key, value]) => [key, replaceColumns(value, replace)]),
  ) as Tree;
}

/** Whether two expressions are the same except for their place in the text. */
export const sameTree = (one: Node, other: Node): boolean => treeKey(one) === treeKey(other);

export const treeKey = (tree: unknown): string =>
  JSON.stringify(tree, (key, value: unknown) => {
    if (key === 'location' || key.startsWith('rexpr_list_')) return undefined;
    // `t.day` and `day` are one column: there is one table.
    if (typeof value === 'object' && value !== null && 'fields' in value && Array.isArray(value.fields))
      return { fields: value.fields.slice(-1) };
    return value;
  });

const tags: Readonly<Record<string, string>> = {
  InsertStmt: 'INSERT',
  UpdateStmt: 'UPDATE',
  DeleteStmt: 'DELETE',
  MergeStmt: 'MERGE',
  TruncateStmt: 'TRUNCATE',
  CreateStmt: 'CREATE TABLE',
  CreateTableAsStmt: 'CREATE TABLE AS',
  DropStmt: 'DROP',
  AlterTableStmt: 'ALTER TABLE',
  CopyStmt: 'COPY',
  GrantStmt: 'GRANT',
};

/** Those whose names are several words, or others than the grammar's. */
const names: Readonly<Record<string, string>> = {
  DeclareCursorStmt: 'DECLARE CURSOR',
  FetchStmt: 'FETCH',
  ExplainStmt: 'EXPLAIN',
  PrepareStmt: 'PREPARE',
  ExecuteStmt: 'EXECUTE',
  ListenStmt: 'LISTEN',
  LockStmt: 'LOCK',
  CallStmt: 'CALL',
  DoStmt: 'DO',
  VacuumStmt: 'VACUUM',
};

/** The refusal of a statement that is not a SELECT. */
export function refuseStatement(node: Node): WireError {
  const kind = kindOf(node);
  const tag = tags[kind];
  if (tag !== undefined)
    return new WireError(
      '25006',
      `cannot execute ${tag}: reports are read-only`,
      kind === 'CopyStmt' ? 'SELECT gives rows; psql --csv writes them as CSV.' : null,
    );
  return unsupported(
    `${names[kind] ?? kind.replace(/Stmt$/, '')} is not supported`,
    'Reports take SELECT, SHOW, SET and transactions; drivers prepare statements by the protocol.',
  );
}
