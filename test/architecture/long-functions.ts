import { readFileSync } from 'node:fs';
import ts from 'typescript';

/** Beyond this a function is cut where it is really two things, or says why it is not. */
export const MAX_FUNCTION_LINES = 70;

/** The sentence of its comment that says so. */
const REASON = /In one piece: \S/;

/** A list of declarations, read one at a time. */
const isList = (name: string): boolean => /Routes$/.test(name);

/** @returns `file:line name`, for each long function without a reason. */
export function longFunctions(file: string, text = readFileSync(file, 'utf8')): string[] {
  const kind = file.endsWith('x') ? ts.ScriptKind.TSX : ts.ScriptKind.TS;
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true, kind);
  const lineOf = (position: number): number => source.getLineAndCharacterOfPosition(position).line + 1;
  const found: string[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isFunctionLike(node) && 'body' in node && node.body !== undefined) {
      const first = lineOf(node.getStart());
      const name = nameOf(node);
      const isLong = lineOf(node.end) - first + 1 > MAX_FUNCTION_LINES;
      if (isLong && !isList(name) && !REASON.test(commentBefore(node, text)))
        found.push(`${file}:${first} ${name}`);
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
}

function nameOf(node: ts.SignatureDeclaration): string {
  const named = node.name ?? (ts.isVariableDeclaration(node.parent) ? node.parent.name : undefined);
  return named?.getText() ?? 'without a name';
}

/** Of the statement that the function stands in. */
function commentBefore(node: ts.Node, text: string): string {
  let statement = node;
  while (!ts.isSourceFile(statement.parent) && !ts.isBlock(statement.parent)) statement = statement.parent;
  const ranges = ts.getLeadingCommentRanges(text, statement.getFullStart()) ?? [];
  return ranges.map(({ pos, end }) => text.slice(pos, end)).join('\n');
}
