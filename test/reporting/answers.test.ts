// tier: unit
import { buffer } from 'node:stream/consumers';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { accepts } from '../../reporting/answer/formats.ts';
import { jsonAnswer } from '../../reporting/answer/json.ts';
import { linesOf } from '../../reporting/answer/pieces.ts';
import type { Column } from '../../reporting/answer/sheet.ts';
import { xlsxAnswer } from '../../reporting/answer/xlsx.ts';
import { cases } from '../support/cases.ts';
import { unzip } from '../support/unzip.ts';

/** The bytes as a network might bring them. */
async function* cut(text: string, sizes: readonly number[]): AsyncGenerator<Buffer> {
  const bytes = Buffer.from(text);
  let at = 0;
  for (const size of sizes) {
    yield bytes.subarray(at, at + size);
    at += size;
  }
  yield bytes.subarray(at);
}

async function* broken(): AsyncGenerator<Buffer> {
  yield Buffer.from('["a"]\n["b"]\n');
  throw new Error('the connection broke');
}

const metaOf = (count: number) => JSON.stringify({ count });
const rows = fc.array(fc.record({ day: fc.string({ unit: 'binary' }), earnings: fc.integer() }), {
  maxLength: 8,
});
const sizes = fc.array(fc.nat(20), { maxLength: 12 });

describe('an answer in JSON', () => {
  it('is the rows, in order and counted, wherever the bytes are cut', async () => {
    const property = fc.asyncProperty(rows, sizes, async (data, cuts) => {
      const wellFormed = data.map((row) => ({ ...row, day: row.day.toWellFormed() }));
      const lines = wellFormed.map((row) => `${JSON.stringify(row)}\n`).join('');
      const answer = await buffer(jsonAnswer(cut(lines, cuts), metaOf));
      expect(JSON.parse(answer.toString())).toEqual({
        status: 'success',
        data: wellFormed,
        meta: { count: data.length },
      });
    });
    await fc.assert(property, { numRuns: cases(60, 300) });
  });

  it('keeps the digits of a number that a double would lose', async () => {
    const answer = await buffer(jsonAnswer(cut('{"earnings":12345678901234567.123456}\n', []), metaOf));
    expect(answer.toString()).toContain('"earnings":12345678901234567.123456');
  });

  it.each(['{"day":"2026-01-0', '{"a":1}\n{"a":'])(
    'is not ended where its rows are cut off: %j',
    async (text) => {
      await expect(buffer(jsonAnswer(cut(text, []), metaOf))).rejects.toThrow('in the middle of a row');
    },
  );
});

async function allLines(text: string, cuts: readonly number[]): Promise<string[]> {
  const found: string[] = [];
  for await (const lines of linesOf(cut(text, cuts))) found.push(...lines);
  return found;
}

describe('lines', () => {
  it('come whole, wherever the bytes are cut', async () => {
    const texts = fc.array(fc.string({ unit: 'binary' }).map((text) => JSON.stringify(text.toWellFormed())));
    const property = fc.asyncProperty(texts, sizes, async (lines, cuts) => {
      expect(await allLines(lines.map((line) => `${line}\n`).join(''), cuts)).toEqual(lines);
    });
    await fc.assert(property, { numRuns: cases(60, 300) });
  });

  it('that have no end are refused before they fill the memory', async () => {
    await expect(allLines('x'.repeat(200_000), [])).rejects.toThrow('has no end');
  });
});

const columns: readonly Column[] = [
  { name: 'day', kind: 'day' },
  { name: 'domain', kind: 'text' },
  { name: 'impressions', kind: 'count' },
  { name: 'earnings', kind: 'decimal' },
  { name: 'earnings_change', kind: 'percent' },
];

async function sheetOf(lines: readonly (readonly unknown[])[]): Promise<string> {
  const text = lines.map((line) => `${JSON.stringify(line)}\n`).join('');
  const files = unzip(await buffer(xlsxAnswer(columns, cut(text, [7]))));
  expect([...files.keys()].toSorted()).toEqual([
    '[Content_Types].xml',
    '_rels/.rels',
    'xl/_rels/workbook.xml.rels',
    'xl/styles.xml',
    'xl/workbook.xml',
    'xl/worksheets/sheet1.xml',
  ]);
  return files.get('xl/worksheets/sheet1.xml')?.toString() ?? '';
}

describe('a spreadsheet', () => {
  it('has days as dates, numbers as numbers with all their digits, and texts as texts', async () => {
    const sheet = await sheetOf([['2026-01-31', '=1+1', '18446744073709551615', '0.000001', null]]);
    expect(sheet).toContain(
      '<row><c s="2"><v>46053</v></c><c t="inlineStr"><is><t xml:space="preserve">=1+1</t></is></c>' +
        '<c s="4"><v>18446744073709551615</v></c><c s="3"><v>0.000001</v></c><c/></row>',
    );
  });

  it('starts with the names of its columns', async () => {
    const names = [...(await sheetOf([])).matchAll(/<t [^>]*>([^<]*)</g)].map(([, name]) => name);
    expect(names).toEqual(columns.map(({ name }) => name));
  });

  it('is well-formed XML for any texts', async () => {
    const sheet = await sheetOf([['2026-01-31', '<a>&\u0001\ufffe"\'\ud800', '1', '1', null]]);
    expect(sheet).toContain('>&lt;a&gt;&amp;\ufffd\ufffd"\'\ufffd</t>');
  });

  it('breaks off where its rows do, instead of waiting or ending', async () => {
    await expect(buffer(xlsxAnswer(columns, broken()))).rejects.toThrow('the connection broke');
  });
});

describe('the types that a client takes', () => {
  it.each([
    [undefined, 'text/csv', true],
    ['', 'text/csv', true],
    ['*/*', 'text/csv', true],
    ['text/*;q=0.5', 'text/csv; charset=utf-8', true],
    ['application/json', 'text/csv', true],
    ['text/html, application/xml;q=0.9', 'text/csv', false],
    ['text/csv', 'application/json', false],
    ['text/csv;q=0', 'text/csv', false],
    ['a', 'application/json', false],
  ])('%j with %s: %s', (header, type, expected) => {
    expect(accepts(header, type)).toBe(expected);
  });
});
