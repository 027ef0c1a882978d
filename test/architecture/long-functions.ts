import { readFileSync } from 'node:fs';
import ts from 'typescript';

/** Of a function's own: beyond this it is cut where it is really two things. */
export const MAX_FUNCTION_LINES = 70;

/**
 * A function's own lines are those outside the functions that it names and the routes that it declares: each of these
 * is read, and measured, by itself. A factory is so measured by its state and its wiring, however many functions
 * share them; its file has a limit of its own.
 *
 * @returns `file name`, for each function with more lines of its own than that.
 */
export function longFunctions(file: string, text = readFileSync(file, 'utf8')): string[] {
  const kind = file.endsWith('x') ? ts.ScriptKind.TSX : ts.ScriptKind.TS;
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true, kind);
  const lineOf = (position: number): number => source.getLineAndCharacterOfPosition(position).line + 1;
  const linesBetween = (start: number, end: number): number => lineOf(end) - lineOf(start);
  /** With the comment before it. */
  const linesApart = (node: ts.Node): number =>
    isReadApart(node) ? linesBetween(statementOf(node).getFullStart(), node.end) : linesApartIn(node);
  const linesApartIn = (node: ts.Node): number => {
    let lines = 0;
    ts.forEachChild(node, (child) => {
      lines += linesApart(child);
    });
    return lines;
  };
  const found: string[] = [];
  const visit = (node: ts.Node): void => {
    if (isWritten(node)) {
      const all = linesBetween(node.getStart(), node.end) + 1;
      if (all > MAX_FUNCTION_LINES && all - linesApartIn(node) > MAX_FUNCTION_LINES)
        found.push(`${file} ${nameOf(node) ?? 'without a name'}`);
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
}

const isWritten = (node: ts.Node): node is ts.SignatureDeclaration =>
  ts.isFunctionLike(node) && 'body' in node && node.body !== undefined;

const isReadApart = (node: ts.Node): boolean =>
  isRoute(node) || (isWritten(node) && nameOf(node) !== undefined);

function nameOf(node: ts.SignatureDeclaration): string | undefined {
  const { parent } = node;
  const isValueOf = ts.isVariableDeclaration(parent) || ts.isPropertyAssignment(parent);
  return (node.name ?? (isValueOf ? parent.name : undefined))?.getText();
}

/** `scope.get('/apps', { … }, handler);` */
function isRoute(node: ts.Node): boolean {
  if (!ts.isExpressionStatement(node) || !ts.isCallExpression(node.expression)) return false;
  const [path] = node.expression.arguments;
  return path !== undefined && ts.isStringLiteral(path) && path.text.startsWith('/');
}

/** What carries the comment: of `const f = () => …` the whole statement. */
function statementOf(node: ts.Node): ts.Node {
  if (ts.isPropertyAssignment(node.parent)) return node.parent;
  if (!ts.isVariableDeclaration(node.parent)) return node;
  return node.parent.parent.parent;
}
