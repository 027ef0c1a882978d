// tier: system, alone
import { mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import type { ClickHouse } from '../../engine/adapters/clickhouse/clickhouse.ts';
import { openClickHouse } from '../../engine/adapters/clickhouse/client.ts';
import type { Connection } from '../../engine/adapters/clickhouse/embedded-connections.ts';
import { fromFile, insertThroughFile } from '../../engine/adapters/clickhouse/insert-file.ts';
import { insertOnce } from '../../engine/adapters/clickhouse/insert-once.ts';

const root = await mkdtemp(join(tmpdir(), 'broadside-insert-'));
afterAll(() => rm(root, { recursive: true, force: true }));

/** Texts that a file, a statement or a pattern could take for something else. */
const texts = [
  'plain',
  "it's",
  '\\N',
  'a\tb',
  'line\nbreak',
  '{x} * ? ;',
  'žluťoučký 🐎',
  'FORMAT TabSeparated',
];
const escaped = (text: string): string =>
  text.replaceAll('\\', '\\\\').replaceAll('\t', '\\t').replaceAll('\n', '\\n');

describe('an insert into the embedded engine', () => {
  it('brings every byte, whatever the folder is called', async () => {
    for (const [index, name] of ['plain', "it's a folder"].entries()) {
      const path = join(root, name);
      const database = `d${index}`;
      const clickhouse = await openClickHouse({ kind: 'embedded', path, database });
      const { client } = clickhouse;
      await client.command({ query: 'CREATE TABLE t (n UInt64, text String) ENGINE = MergeTree ORDER BY n' });
      const rows = texts.map((text, n) => `${n}\t${escaped(text)}\n`);
      const insert = {
        table: 't',
        columns: 'n, text',
        rows: rows.length,
        bytes: Buffer.from(rows.join('')),
        format: 'TabSeparated' as const,
      };
      expect(await insertOnce(clickhouse, insert, 'once')).toEqual({ kind: 'inserted', rows: rows.length });
      const found = await client.query({ query: 'SELECT text FROM t ORDER BY n', format: 'JSONEachRow' });
      expect((await found.json<{ text: string }>()).map(({ text }) => text)).toEqual(texts);
      expect((await readdir(path)).filter((file) => file.startsWith('broadside-insert'))).toEqual([]);
      await clickhouse.close();
    }
  });

  it('leaves no file behind where it fails, and passes on statements without rows', async () => {
    const file = join(root, 'rows.tsv');
    const asked: object[] = [];
    const exec = async (params: { readonly query: string }) => {
      asked.push(params);
      if (params.query.includes('INFILE')) {
        expect((await stat(file)).mode & 0o077).toBe(0);
        throw new Error('refused');
      }
    };
    const connection = insertThroughFile({ exec } as unknown as Connection, file);
    const clickhouse = { client: connection } as unknown as ClickHouse;
    const insert = {
      table: 't',
      columns: 'n',
      rows: 1,
      bytes: Buffer.from('1\n'),
      format: 'TabSeparated' as const,
    };
    expect(await insertOnce(clickhouse, insert, 'once')).toEqual({
      kind: 'away',
      store: 'ClickHouse',
      reason: 'refused',
    });
    expect(await readdir(root)).not.toContain('rows.tsv');
    await connection.exec({ query: 'OPTIMIZE TABLE t' });
    expect(asked[1]).toEqual({ query: 'OPTIMIZE TABLE t' });
  });
});

describe('the embedded home', () => {
  it('refuses a folder name that the engine would read as a pattern', async () => {
    const home = { kind: 'embedded', path: join(root, 'with {braces}'), database: 'd' } as const;
    await expect(openClickHouse(home)).rejects.toThrow('must have none of * ? { } in its path');
  });
});

describe('a statement with its rows in a file', () => {
  it('keeps its settings, and is passed on where it inserts nothing', () => {
    const insert = "INSERT INTO t (a, b)\n  SETTINGS async_insert = 0, x = 'y'\n  FORMAT TabSeparated";
    expect(fromFile(insert, "/a'b")).toBe(
      "INSERT INTO t (a, b) FROM INFILE '/a\\'b' COMPRESSION 'none' \n  SETTINGS async_insert = 0, x = 'y'\n  FORMAT TabSeparated",
    );
    expect(fromFile('INSERT INTO t (a) FORMAT JSONEachRow', '/a')).toBeNull();
    expect(fromFile('SELECT 1', '/a')).toBeNull();
  });
});
