import ts from 'typescript';

/** A piece of prose, and the line of its file that it begins on. Code inside it stands in backticks. */
export interface Text {
  readonly kind: 'comment' | 'message' | 'prose';
  readonly line: number;
  readonly text: string;
}

/** Comments for tools rather than for readers. */
const FOR_TOOLS = /^(biome-[a-z]+|@ts-|@vitest|eslint|v8 ignore|[#@]__|#!|\/|=+|contracts?:)/;

/** What a reader sees has three words in a row; SQL, selectors and class names do not. */
const PROSE = /(?<![\w.-])[A-Za-z][a-z'’]*[,;:]? [a-z'’-]+[,;:]? [A-Za-z'’`-]+/;
const CODE =
  /<\/|=>|;\n|\$[\w(]|^\s*[:.#][a-z]|\b(SELECT|INSERT|UPDATE|DELETE|FROM|WHERE|AND|ALTER|CREATE)\b|\bAS [a-z]/;

/** @returns the prose of a file: of Markdown all, of sources their comments and the texts that people read. */
export function textsOf(file: string, content: string): Text[] {
  if (file.endsWith('.md')) return [{ kind: 'prose', line: 1, text: content }];
  if (/\.(sql|ya?ml|example|css)$/.test(file)) return commentsByPattern(file, content);
  const kind = file.endsWith('x') ? ts.ScriptKind.TSX : ts.ScriptKind.TS;
  const source = ts.createSourceFile(file, content, ts.ScriptTarget.Latest, true, kind);
  return [...commentsOf(source), ...messagesOf(source, /^(test|bench)\//.test(file))];
}

const commentSigns = { sql: /^\s*-- ?(.*)$/, css: /^\s*\/\* (.*?)(?: \*\/)?$/ };

/** Comments that fill their line, where no parser is at hand. */
function commentsByPattern(file: string, content: string): Text[] {
  const sign = /\.sql$/.test(file)
    ? commentSigns.sql
    : /\.css$/.test(file)
      ? commentSigns.css
      : /^\s*# (.*)$/;
  const lines = content.split('\n').map((line) => sign.exec(line)?.[1] ?? null);
  return joined(
    lines.flatMap((text, at) => (text === null ? [] : [{ line: at + 1, last: at + 1, text, joins: true }])),
  );
}

function commentsOf(source: ts.SourceFile): Text[] {
  const { text } = source;
  const ranges = new Map<number, ts.CommentRange>();
  const note = (found: readonly ts.CommentRange[] = []): void => {
    for (const range of found) ranges.set(range.pos, range);
  };
  const visit = (node: ts.Node): void => {
    if (node.kind === ts.SyntaxKind.JsxText) return;
    note(ts.getLeadingCommentRanges(text, node.pos));
    note(ts.getTrailingCommentRanges(text, node.end));
    ts.forEachChild(node, visit);
  };
  visit(source);
  const lineOf = (position: number): number => source.getLineAndCharacterOfPosition(position).line + 1;
  const sorted = [...ranges.values()].toSorted((a, b) => a.pos - b.pos);
  return joined(
    sorted.map(({ pos, end, kind }) => ({
      line: lineOf(pos),
      last: lineOf(end),
      text: withoutSigns(text.slice(pos, end)),
      joins: kind === ts.SyntaxKind.SingleLineCommentTrivia && isAlone(text, pos),
    })),
  );
}

/** Whether a comment begins its line; one behind code is a text of its own. */
const isAlone = (text: string, pos: number): boolean =>
  text.slice(text.lastIndexOf('\n', pos - 1) + 1, pos).trim() === '';

/** A comment's words on their own lines, without what makes it a comment. */
const withoutSigns = (comment: string): string =>
  comment
    .replace(/^\/\*\*?|\*\/$/g, '')
    .split('\n')
    .map((line) => line.replace(/^\s*(\*|\/\/)? ?/, '').trimEnd())
    .join('\n');

interface Piece {
  readonly line: number;
  readonly last: number;
  readonly text: string;
  /** With such a one in the next line it is one text. */
  readonly joins: boolean;
}

function joined(pieces: readonly Piece[]): Text[] {
  const found: Piece[] = [];
  for (const piece of pieces) {
    const before = found.at(-1);
    const goesOn = piece.joins && before?.joins === true && before.last === piece.line - 1;
    if (goesOn)
      found[found.length - 1] = { ...before, last: piece.last, text: `${before.text}\n${piece.text}` };
    else found.push(piece);
  }
  return found
    .filter(({ text }) => text.trim() !== '' && !FOR_TOOLS.test(text.trim()))
    .map(({ line, text }) => ({ kind: 'comment', line, text }));
}

type Literal = ts.StringLiteralLike | ts.TemplateExpression | ts.JsxText;

const isLiteral = (node: ts.Node): node is Literal =>
  ts.isStringLiteralLike(node) || ts.isTemplateExpression(node) || ts.isJsxText(node);

const textOf = (node: Literal): string =>
  ts.isTemplateExpression(node)
    ? node.head.text + node.templateSpans.map(({ literal }) => `\`value\`${literal.text}`).join('')
    : node.text;

/** Of a test only its title: the other texts there are what the product is fed with. */
const isTitle = (node: ts.Node): boolean =>
  ts.isCallExpression(node.parent) &&
  node.parent.arguments[0] === node &&
  /^(it|describe|test)\b/.test(node.parent.expression.getText());

function messagesOf(source: ts.SourceFile, onlyTitles: boolean): Text[] {
  const found: Text[] = [];
  const visit = (node: ts.Node): void => {
    if (isLiteral(node) && (!onlyTitles || isTitle(node))) {
      const text = textOf(node);
      const { line } = source.getLineAndCharacterOfPosition(node.getStart(source));
      if (PROSE.test(text) && !CODE.test(text)) found.push({ kind: 'message', line: line + 1, text });
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
}
