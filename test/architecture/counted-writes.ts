import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';

/** Where an app's counts are written, and where the order of locks is kept. */
export const home = 'engine/adapters/postgres/subscriptions/counts.ts';

const SOURCES = '{engine,api,reporting}/**/*.{ts,sql}';
const counts = '(?:subscriber_count|active_subscriber_count|next_seq)';

/** What is for the home alone, and what to use of it instead. */
const reserved: readonly (readonly [RegExp, string])[] = [
  [
    new RegExp(String.raw`\b${counts}"?\s*=|\(\s*[^()]*\b${counts}\b[^()]*\)\s*=\s*[(R]`, 'i'),
    'changeCounts',
  ],
  [/INSERT INTO apps\b[^()]*\([^()]*subscriber_count/i, 'changeCounts'],
  [/DELETE FROM subscriptions\b/i, 'deleting'],
  [/UPDATE subscriptions\b[^;]*(?:\bSET|,)\s*status\s*=(?!\s*'subscribed')/i, 'unsubscribing'],
  [/FROM subscriptions\b(?:(?!SKIP LOCKED)[^;])*\bFOR (?:NO KEY )?UPDATE\b(?!\s+SKIP LOCKED)/i, 'lockedRows'],
];

/** Whoever inserts rows counts them in the same file. */
const inserts = [/INSERT INTO subscriptions\b/i, 'changeCounts'] as const;

/** The texts that a file gives to Postgres: its string literals, with a mark for what is put into them. */
function textsOf(file: string, text: string): string[] {
  if (file.endsWith('.sql')) return [text.replace(/^-- Down Migration[\s\S]*/m, '')];
  const found: string[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isStringLiteralLike(node)) found.push(node.text);
    if (ts.isTemplateExpression(node))
      found.push([node.head.text, ...node.templateSpans.map(({ literal }) => literal.text)].join(' ? '));
    ts.forEachChild(node, visit);
  };
  visit(ts.createSourceFile(file, text, ts.ScriptTarget.Latest));
  return found;
}

/** @returns a sentence for each statement that writes counts, or locks subscriptions, outside the home. */
export function countedWrites(root: string): { readonly files: number; readonly faults: string[] } {
  const files = globSync(SOURCES, { cwd: root, exclude: (path) => path.includes('node_modules') });
  const faults = files
    .filter((file) => file !== home)
    .flatMap((file) => {
      const source = readFileSync(join(root, file), 'utf8');
      const texts = textsOf(file, source);
      const isUsed = ([pattern]: (typeof reserved)[number]) => texts.some((text) => pattern.test(text));
      const added = source.includes('changeCounts(') ? [] : [inserts];
      return [...reserved, ...added]
        .filter(isUsed)
        .map(
          ([, instead]) =>
            `${file} writes an app's counts, or locks subscriptions, by a statement of its own.\n    Use ${instead} of ${home}, which keeps the counts and the order of locks.`,
        );
    });
  return { files: files.length, faults };
}
