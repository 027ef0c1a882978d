// tier: unit
import { gzipSync, zstdCompressSync } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { CliError } from '../../../engine/kit/command-line/endings.ts';
import {
  type ImportEncoding,
  type ImportFormat,
  type ImportRecord,
  readRecords,
} from '../../../engine/kit/command-line/file/records.ts';
import { MAX_RECORD_BYTES, MAX_RECORD_LINES } from '../../../engine/kit/command-line/file/split-records.ts';
import { cases } from '../../support/cases.ts';

const RUNS = cases(400, 2_000);

const rules = { headerOf: (names: string[]) => names, parseJson: JSON.parse };

async function* inPieces(bytes: Buffer, size: number): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

async function read(
  input: Buffer | string,
  format: ImportFormat = 'csv',
  { size = 4_099, encoding = 'utf-8' as ImportEncoding } = {},
) {
  const records = readRecords(inPieces(Buffer.from(input), size), format, rules, encoding);
  const all: ImportRecord[] = [];
  for await (const piece of records) all.push(...piece);
  return { all, counts: records.counts, bad: all.filter((record) => 'unreadable' in record) };
}

const valuesOf = (all: readonly ImportRecord[]): unknown[] =>
  all.flatMap((record) => ('value' in record ? [record.value] : []));
/** Where no line ends with LF, all end with CR. */
const linesOf = (input: Buffer): number => {
  const end = input.includes(10) ? 10 : 13;
  return input.filter((byte) => byte === end).length + (input.length > 0 && input.at(-1) !== end ? 1 : 0);
};

describe('records of an import', () => {
  it('end the import at a quote that never closes, and name its line', async () => {
    const rows = Array.from({ length: 3_000 }, (_, n) => `a${n},b`);
    rows[999] = 'x,"y';
    await expect(read(['one,two', ...rows].join('\n'))).rejects.toThrow('line 1001: a quote opens there');
    await expect(read(['one,two', ...rows].join('\n'))).rejects.toThrow(CliError);
  });

  it('are lines that end with CR alone, as old spreadsheet programs write them, in pieces of any size', async () => {
    const text = ['one,two', 'a,"b c"', '', 'd,e'].join('\r');
    for (const size of [1, 3, 4_099]) {
      const { all, counts, bad } = await read(text, 'csv', { size });
      expect([bad, counts]).toEqual([[], { lines: 4, passedOver: 2 }]);
      expect(valuesOf(all)).toEqual([
        { one: 'a', two: 'b c' },
        { one: 'd', two: 'e' },
      ]);
      expect(all.map(({ line }) => line)).toEqual([2, 4]);
    }
  });

  it('keep a CR that stands before LF in the next piece, or in a field', async () => {
    for (const size of [1, 8, 9, 10]) {
      const { all } = await read('one,two\r\n"a\rb",c\r\n', 'csv', { size });
      expect(valuesOf(all)).toEqual([{ one: 'a\rb', two: 'c' }]);
    }
  });

  it('come from a pipe before it ends', async () => {
    async function* pipe() {
      yield Buffer.from('one,two\na,b\n');
      await new Promise(() => {});
    }
    for await (const piece of readRecords(pipe(), 'csv', rules)) {
      expect(valuesOf(piece)).toEqual([{ one: 'a', two: 'b' }]);
      break;
    }
  });

  it('end the import at a quote that is still open where the file ends', async () => {
    await expect(read('one,two\na,b\nc,"d\ne,f\n')).rejects.toThrow('line 3: a quote opens there');
  });

  it('take one line for a stray quote where later quotes show it', async () => {
    const { all, bad } = await read('one,two\na,b\nc,"d\ne,f\n"g","h"\ni,j\n');
    expect(bad).toMatchObject([
      { line: 3, lines: 1, raw: 'c,"d', unreadable: expect.stringContaining('quote') },
    ]);
    expect(valuesOf(all)).toEqual([
      { one: 'a', two: 'b' },
      { one: 'e', two: 'f' },
      { one: 'g', two: 'h' },
      { one: 'i', two: 'j' },
    ]);
  });

  it('take one line for a quote that joined several lines into a row of another length', async () => {
    const { all, bad } = await read('one,two,three\n"a,b,c\nd,e,f\ng,h",i\nj,k,l\n');
    expect(bad.map(({ line, lines }) => [line, lines])).toEqual([
      [2, 1],
      [4, 1],
    ]);
    expect(valuesOf(all)).toEqual([
      { one: 'd', two: 'e', three: 'f' },
      { one: 'j', two: 'k', three: 'l' },
    ]);
  });

  it.each(['', '"'])('lose one row to a field of 200,000 characters (quoted by %j)', async (quote) => {
    const rows = Array.from({ length: 2_000 }, (_, n) => `a${n},b`);
    rows[999] = `${quote}${'x'.repeat(200_000)}${quote},b`;
    const { all, bad, counts } = await read(['one,two', ...rows, ''].join('\n'));
    expect(bad).toMatchObject([{ line: 1_001, lines: 1, unreadable: 'is too long' }]);
    expect(bad[0]?.raw).toBe(rows[999]?.slice(0, MAX_RECORD_BYTES));
    expect(all).toHaveLength(2_000);
    expect(counts).toEqual({ lines: 2_001, passedOver: 1 });
  });

  it('lose one line to JSON of 3 MB without an end', async () => {
    const { all, bad, counts } = await read(`{"a":1}\n${'x'.repeat(3_000_000)}\n{"a":2}`, 'ndjson');
    expect(bad).toMatchObject([{ line: 2, unreadable: 'is too long' }]);
    expect(valuesOf(all)).toEqual([{ a: 1 }, { a: 2 }]);
    expect(counts).toEqual({ lines: 3, passedOver: 0 });
  });

  it('hold line ends, quotes and commas in quoted fields, up to a number of lines', async () => {
    const long = Array.from({ length: MAX_RECORD_LINES - 1 }, (_, n) => n).join('\n');
    const { all, counts } = await read(`one,two\r\n"a\n,""b""",c\r\n\n"${long}",d\r\n`);
    expect(valuesOf(all)).toEqual([
      { one: 'a\n,"b"', two: 'c' },
      { one: long, two: 'd' },
    ]);
    expect(all.map(({ line, lines }) => [line, lines])).toEqual([
      [2, 2],
      [5, MAX_RECORD_LINES - 1],
    ]);
    expect(counts).toEqual({ lines: 3 + 1 + MAX_RECORD_LINES - 1, passedOver: 2 });
    await expect(read(`one,two\n"${'\n'.repeat(MAX_RECORD_LINES)}",d`)).rejects.toThrow('line 2: a quote');
  });

  it('set aside invalid UTF-8, with its text, and read it as Latin-1 on request', async () => {
    const bytes = Buffer.from('name\nmüller\nplain\n', 'latin1');
    const { all, bad } = await read(bytes);
    expect(bad).toMatchObject([{ line: 2, raw: 'müller', unreadable: expect.stringContaining('not UTF-8') }]);
    expect(valuesOf(all)).toEqual([{ name: 'plain' }]);
    expect(valuesOf((await read(bytes, 'csv', { encoding: 'latin1' })).all)).toEqual([
      { name: 'müller' },
      { name: 'plain' },
    ]);
    expect((await read(Buffer.from('{"a":"\xff"}\n', 'latin1'), 'ndjson')).bad).toHaveLength(1);
  });

  it('refuse UTF-16 with a word on how to fix it, and drop a byte order mark of UTF-8', async () => {
    await expect(read(Buffer.from('\ufeffa,b\n', 'utf16le'))).rejects.toThrow('UTF-16: save it as UTF-8');
    expect(valuesOf((await read('\ufeff"one"\na\n', 'csv', { size: 1 })).all)).toEqual([{ one: 'a' }]);
  });

  it.each([
    [gzipSync('a,b\n'), 'gunzip -c FILE'],
    [zstdCompressSync('a,b\n'), 'zstd -dc FILE'],
    [Buffer.from('PK\x03\x04\x14', 'latin1'), 'unzip -p FILE'],
  ])('refuse a packed file with the command that unpacks it: %#', async (bytes, words) => {
    for (const format of ['csv', 'ndjson'] as const)
      await expect(read(bytes, format, { size: 1 })).rejects.toThrow(words);
  });

  it('take no column for the prototype of a row', async () => {
    const { all } = await read('one,__proto__\na,b\n');
    const [value] = valuesOf(all) as [object];
    expect(Object.getPrototypeOf(value)).toBe(Object.prototype);
    expect(Object.keys(value)).toEqual(['one', '__proto__']);
  });

  const noise = fc
    .array(
      fc.oneof(
        fc.constantFrom('a', 'b,c', ',', '"', '""', '\n', '\r\n', '\n\n', '{"a":1}\n', 'ü', '"x"', ',"y",'),
        fc.integer({ min: 0, max: 255 }).map((byte) => Buffer.from([byte])),
      ),
      { maxLength: 120 },
    )
    .map((parts) => Buffer.concat(parts.map((part) => Buffer.from(part))));

  it.each(['csv', 'ndjson'] as const)('of any bytes account for every line (%s)', async (format) => {
    let ended = 0;
    await fc.assert(
      fc.asyncProperty(
        noise,
        fc.integer({ min: 1, max: 50 }),
        fc.constantFrom<ImportEncoding>('utf-8', 'latin1'),
        async (bytes, size, encoding) => {
          const input = Buffer.concat([Buffer.from('one,two\n'), bytes]);
          const found = await read(input, format, { size, encoding }).catch((error: unknown) => {
            // Nothing else than an open quote may end it.
            expect(error).toBeInstanceOf(CliError);
            expect(String(error)).toContain('a quote opens there');
            return null;
          });
          if (found === null) return;
          ended++;
          const { all, counts } = found;
          expect(counts.lines).toBe(linesOf(input));
          expect(all.reduce((sum, { lines }) => sum + lines, 0) + counts.passedOver).toBe(counts.lines);
          let before = 0;
          for (const { line, lines } of all) {
            expect(line).toBeGreaterThan(before);
            before = line + lines - 1;
          }
          expect(before).toBeLessThanOrEqual(counts.lines);
          // The same bytes in other pieces are the same records.
          expect((await read(input, format, { size: size + 7, encoding })).all).toEqual(all);
        },
      ),
      { numRuns: RUNS },
    );
    expect(ended).toBeGreaterThan(RUNS / 4);
  });

  it('give back every table that was written by the rules of CSV', async () => {
    const cell = fc.string({
      unit: fc.constantFrom('a', ',', '"', '\n', '\r\n', 'ü', ' ', '日'),
      maxLength: 12,
    });
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.tuple(cell, cell, cell), { maxLength: 20 }),
        fc.integer({ min: 1, max: 40 }),
        async (rows, size) => {
          const written = rows.map((row) => row.map((text) => `"${text.replaceAll('"', '""')}"`).join(','));
          const { all, bad } = await read(['a,b,c', ...written].join('\r\n'), 'csv', { size });
          expect(bad).toEqual([]);
          expect(valuesOf(all)).toEqual(rows.map(([a, b, c]) => ({ a, b, c })));
        },
      ),
      { numRuns: RUNS / 4 },
    );
  });
});
