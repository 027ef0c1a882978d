import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = fileURLToPath(new URL('../..', import.meta.url));

/** Every document of the project, as paths from its root. */
export const documents: readonly string[] = globSync(['*.md', '{api,engine,reporting,bench,test}/**/*.md'], {
  cwd: root,
})
  .filter((file) => !/node_modules|vendored/.test(file))
  .sort();

export const readDocument = (file: string): string => readFileSync(join(root, file), 'utf8');

/** A fenced block. */
export interface Block {
  readonly file: string;
  /** Of its first line of content, from 1. */
  readonly line: number;
  readonly language: string;
  readonly text: string;
}

/** The document's blocks, in order; those in a list lose its indent. */
export function blocksOf(file: string): Block[] {
  const markdown = readDocument(file);
  return [...markdown.matchAll(/^( *)```(\w*)\n([\s\S]*?)^\1```$/gm)].map((match) => {
    const [, indent = '', language = '', text = ''] = match;
    return {
      ...{ file, language },
      line: markdown.slice(0, match.index).split('\n').length + 1,
      text: text.replaceAll(new RegExp(`^${indent}`, 'gm'), ''),
    };
  });
}

/** What is outside blocks. */
export const proseOf = (file: string): string =>
  readDocument(file).replaceAll(/^( *)```[\s\S]*?^\1```$/gm, '');

/** One command of a shell block, its continued lines in one. */
export interface ShellCommand {
  readonly file: string;
  readonly text: string;
}

export function commandsOf(file: string): ShellCommand[] {
  return blocksOf(file)
    .filter(({ language }) => language === 'sh')
    .flatMap(({ text }) => joinedLines(text))
    .filter((text) => text !== '')
    .map((text) => ({ file, text }));
}

/** Without comments; lines that end in a backslash, or within quotes, go on in the next one. */
function joinedLines(text: string): string[] {
  const joined: string[] = [];
  let open = '';
  for (const line of text.split('\n')) {
    const { code, isQuoted } = withoutComment(
      open === '' || open.endsWith('\n') ? open + line : `${open} ${line.trim()}`,
    );
    open = code;
    if (isQuoted) open += '\n';
    else if (open.endsWith('\\')) open = open.slice(0, -1).trimEnd();
    else {
      joined.push(open.trim());
      open = '';
    }
  }
  return joined;
}

function withoutComment(text: string): { readonly code: string; readonly isQuoted: boolean } {
  let quote = '';
  for (const [place, char] of [...text].entries()) {
    if (quote === '' && char === '#' && /^\s?$/.test(text[place - 1] ?? ''))
      return { code: text.slice(0, place).trimEnd(), isQuoted: false };
    if (quote === '' && (char === '"' || char === "'")) quote = char;
    else if (char === quote) quote = '';
  }
  return { code: text, isQuoted: quote !== '' };
}
