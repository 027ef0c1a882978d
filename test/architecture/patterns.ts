import { readFileSync } from 'node:fs';
import { analyse } from 'scslre';
import ts from 'typescript';

/** A regular expression as the code writes it; null: one that is put together at run time. */
interface Written {
  readonly source: string | null;
  readonly flags: string;
  readonly text: string;
  readonly line: number;
}

export interface Fault {
  readonly file: string;
  readonly line: number;
  /** As it is written. */
  readonly pattern: string;
  readonly words: string;
}

/** Constants with such a name are patterns: checked where they are written, and free to be used by name. */
const PATTERN_NAME = /(?:pattern|shape)$/i;

/** @returns each pattern whose time may grow faster than its text, and each that cannot be judged. */
export function patternFaults(file: string, text = readFileSync(file, 'utf8')): Fault[] {
  return writtenIn(file, text).flatMap((written) => {
    const words = faultOf(written);
    return words === null ? [] : [{ file, line: written.line, pattern: written.text, words }];
  });
}

function writtenIn(file: string, text: string): Written[] {
  const kind = file.endsWith('x') ? ts.ScriptKind.TSX : ts.ScriptKind.TS;
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true, kind);
  const found: Written[] = [];
  const visit = (node: ts.Node): void => {
    const read = patternIn(node);
    const line = source.getLineAndCharacterOfPosition(node.getStart()).line + 1;
    if (read !== null) found.push({ ...read, line });
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
}

type Read = Omit<Written, 'line'>;

/** A literal, what `RegExp` is given, a schema's `pattern`, or a constant that is named as one. */
function patternIn(node: ts.Node): Read | null {
  if (ts.isRegularExpressionLiteral(node)) {
    const end = node.text.lastIndexOf('/');
    return { source: node.text.slice(1, end), flags: node.text.slice(end + 1), text: node.text };
  }
  if ((ts.isNewExpression(node) || ts.isCallExpression(node)) && node.expression.getText() === 'RegExp')
    return given(node.arguments?.[0]);
  if (ts.isPropertyAssignment(node) && node.name.getText() === 'pattern') return given(node.initializer);
  if (ts.isVariableDeclaration(node) && PATTERN_NAME.test(node.name.getText())) {
    const { initializer } = node;
    return initializer !== undefined && ts.isStringLiteralLike(initializer) ? given(initializer) : null;
  }
  return null;
}

function given(node: ts.Expression | undefined): Read | null {
  if (node === undefined || ts.isNumericLiteral(node) || ts.isRegularExpressionLiteral(node)) return null;
  const text = node.getText();
  if (PATTERN_NAME.test(text.replace(/\.source$/, ''))) return null;
  return { source: ts.isStringLiteralLike(node) ? node.text : null, flags: 'u', text };
}

function faultOf({ source, flags }: Written): string | null {
  if (source === null) return 'is put together at run time, so nobody can judge it';
  const { parsed, reports } = analyse({ source, flags: flags });
  const [report] = reports;
  if (report !== undefined) {
    const growth = report.exponential
      ? 'doubles with each further'
      : 'grows with the square of the number of';
    return `takes a time that ${growth} ${JSON.stringify(report.character.pick)}`;
  }
  return shapeFault(parsed.pattern, false);
}

/** The parts of a parsed pattern that matter here. */
interface Part {
  readonly type: string;
  readonly max?: number;
  readonly greedy?: boolean;
  readonly element?: Part;
  readonly elements?: readonly Part[];
  readonly alternatives?: readonly Part[];
}

function shapeFault(part: Part, inRepetition: boolean): string | null {
  const repeats = part.type === 'Quantifier' && part.max === Number.POSITIVE_INFINITY;
  if (part.type === 'Quantifier' && part.greedy === false) return 'has a lazy quantifier';
  if (repeats && inRepetition) return 'has a repetition inside a repetition';
  const inner = [part.element ?? [], part.elements ?? [], part.alternatives ?? []].flat();
  return (
    inner.map((each) => shapeFault(each, inRepetition || repeats)).find((words) => words !== null) ?? null
  );
}
