// tier: core
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { counted, pluralOf } from '../../engine/contract/counted.ts';

const root = join(import.meta.dirname, '../..');
const nouns =
  'attempts|bytes|campaigns|characters|currencies|days|deliveries|domains|events|items|lines|messages|migrations|minutes|polls|rates|readers|rows|seconds|shards|statements|subscribers|subscriptions|tokens';
/** A count in a text, and right after it a word of many. Constants in capitals are known, and none of those is 1. */
const pattern = new RegExp(`\\$\\{(?![^}]*[A-Z]{2})[^}]*\\}\\)? (?:[a-z]+ )?(?:${nouns})\\b`, 'g');

/** Texts for engineers, in errors and logs: they name what was not as it had to be. */
const forEngineers =
  /(new (Range|Type|Http2|Hpack)?Error\(|new WorkerFailure\(|COPY answered|wait for a connection|interval '|description: )/;

function unguardedIn(file: string, text: string): string[] {
  return text.split('\n').flatMap((line, at) => {
    if (forEngineers.test(line) || /^\s*(\/\/|\*)/.test(line)) return [];
    return [...line.matchAll(pattern)].map(([found]) => `${file}:${at + 1} ${found}`);
  });
}

/** Which may stay: the count is another word's, or is never 1. */
const known: readonly string[] = [
  'bytes',
  '{source} are days',
  '{sent.rows} rows',
  '{number(Math.round(rows / seconds))} rows',
  '{number(days.length)} days',
  '{shards} shards',
  '{Math.round(minutes / 1_440)} days',
  '{limit} breaking deliveries',
  '{summaryOf(data)} broadside campaigns',
  "{String(plan.at).replace('T', ' ')} by readers",
  '{identifier} has subscriptions',
];

describe('a count in a text of the command line or of the API', () => {
  it('says “1 row” of one: its word comes from counted() or pluralOf()', () => {
    const files = globSync('{api,engine,reporting}/**/*.ts', { cwd: root }).filter(
      (file) => !/^api\/(dashboard|client-libraries|sdk|docs)\//.test(file),
    );
    expect(files.length).toBeGreaterThan(500);
    const found = files.flatMap((file) => unguardedIn(file, readFileSync(join(root, file), 'utf8')));
    expect(found.filter((line) => !known.some((each) => line.includes(each)))).toEqual([]);
  });

  it('is found where its word is always that of many', () => {
    const [tick, open] = ['`', '${'];
    expect(unguardedIn('a.ts', `print(${tick}${open}count} rows${tick});`)).toEqual([
      `a.ts:1 ${open}count} rows`,
    ]);
    expect(unguardedIn('a.ts', `print(${tick}${open}counted(count, 'row')} are in${tick});`)).toEqual([]);
    expect(unguardedIn('a.ts', `print(${tick}at most ${open}MAX_ROWS} rows${tick});`)).toEqual([]);
  });

  it('is written with its word', () => {
    expect([counted(1, 'row'), counted(0, 'row'), counted(12_345, 'delivery', 'deliveries')]).toEqual([
      ...['1 row', '0 rows', '12,345 deliveries'],
    ]);
    expect([pluralOf(1, 'is', 'are'), pluralOf(2, 'is', 'are')]).toEqual(['is', 'are']);
  });
});
