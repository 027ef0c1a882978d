import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';

/** Where an app's counts are written, and where the order of locks is kept. */
export const countsHome = 'engine/adapters/postgres/subscriptions/counts.ts';
/** Where deliveries are written, each with what takes it to the log. */
export const deliveriesHome = 'engine/adapters/postgres/deliveries/store-delivery.ts';

const SOURCES = '{engine,api,reporting}/**/*.{ts,sql}';
const counts = '(?:subscriber_count|active_subscriber_count|next_seq)';

/** What is for one file alone: that file, and what to use of it instead. */
type Reserved = readonly [pattern: RegExp, instead: string, home?: string];
const reserved: readonly Reserved[] = [
  [
    new RegExp(String.raw`\b${counts}"?\s*=|\(\s*[^()]*\b${counts}\b[^()]*\)\s*=\s*[(R]`, 'i'),
    'changeCounts',
  ],
  [/INSERT INTO apps\b[^()]*\([^()]*subscriber_count/i, 'changeCounts'],
  [/DELETE FROM subscriptions\b/i, 'deleting'],
  [/UPDATE subscriptions\b[^;]*(?:\bSET|,)\s*status\s*=(?!\s*'subscribed')/i, 'unsubscribing'],
  [/FROM subscriptions\b(?:(?!SKIP LOCKED)[^;])*\bFOR (?:NO KEY )?UPDATE\b(?!\s+SKIP LOCKED)/i, 'lockedRows'],
  [/INSERT INTO deliveries\b/i, 'storeDelivery', deliveriesHome],
];

/** Whoever inserts rows counts them in the same file. */
const inserts: Reserved = [/INSERT INTO subscriptions\b/i, 'changeCounts'];

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

/** @returns a sentence for each statement that writes what another file alone may write. */
export function foreignWrites(root: string): { readonly files: number; readonly faults: string[] } {
  const files = globSync(SOURCES, { cwd: root, exclude: (path) => path.includes('node_modules') });
  const faults = files.flatMap((file) => {
    const source = readFileSync(join(root, file), 'utf8');
    const texts = textsOf(file, source);
    const added = source.includes('changeCounts(') ? [] : [inserts];
    return [...reserved, ...added].flatMap(([pattern, instead, home = countsHome]) =>
      file === home || !texts.some((text) => pattern.test(text))
        ? []
        : [
            `${file} writes or locks what ${home} alone does.\n    Use ${instead} of it, which keeps counts, locks and the log in order.`,
          ],
    );
  });
  return { files: files.length, faults };
}
