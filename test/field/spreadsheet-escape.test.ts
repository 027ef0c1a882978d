// tier: system
// People report that a text like `CAG_x6904_2` is shown as another in a spreadsheet that a library wrote:
// https://github.com/ClosedXML/ClosedXML/issues/608
import { createWriteStream } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { xlsxAnswer } from '../../reporting/answer/xlsx.ts';
import { cases } from '../support/cases.ts';
import {
  hasSpreadsheetReaders,
  readSpreadsheet,
  type SpreadsheetReader,
} from '../support/spreadsheet-readers.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'broadside-spreadsheet-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const columns = [
  { name: 'ad_unit', kind: 'text' },
  { name: 'day', kind: 'day' },
  { name: 'impressions', kind: 'count' },
  { name: 'earnings', kind: 'decimal' },
] as const;

/** A workbook whose first column has these texts. */
async function write(name: string, texts: readonly string[]): Promise<string> {
  async function* rows() {
    for (const text of texts)
      yield Buffer.from(`${JSON.stringify([text, '2026-01-31', '12345', '0.100001'])}\n`);
  }
  const file = join(folder, name);
  await pipeline(xlsxAnswer(columns, rows()), createWriteStream(file));
  return file;
}

// As ECMA-376 has it (ST_Xstring), a reader takes `_xHHHH_` for one character, and XML one of `\r` for `\n`.
const hostile = [
  '_x1200_',
  'banner_x0041_top',
  '_x005F_',
  '_x005F_x1200_',
  '_xabcd__x0009_',
  '_x12_',
  'x1200_',
  '_x1200',
  '__x1200_',
  '=1+1',
  '@SUM(A1)',
  ' spaces at both ends ',
  'a\tb\nc',
  'an old Mac\rwrote this\r\n',
  '<b>&amp;</b> ]]>',
  'Ünïcödé 😀 日本語',
];

/** What a program's own text never has: XML cannot hold the others, and they become a mark. */
const anyText = fc.string({ unit: 'grapheme', maxLength: 30 }).map((text) => text.replaceAll(/\p{Cc}/gu, ''));
const underscores = fc
  .array(fc.constantFrom('_', 'x', 'X', '0', '5F', '005F', '1200', 'beef', 'é'), { maxLength: 8 })
  .map((parts) => parts.join(''));

/** The reader openpyxl knows the escape in shared texts alone, and shows it as it stands in a cell's own. */
const readsEscapes = (reader: SpreadsheetReader) => reader !== 'openpyxl';
const needsEscape = /_x[0-9a-f]{4}_|\r/i;

describe.skipIf(!hasSpreadsheetReaders)('ad units called _x1200_ keep their name in a spreadsheet', () => {
  it.each(['openpyxl', 'calamine'] as const)('as %s reads it', async (reader) => {
    const drawn = fc.sample(fc.oneof(anyText, underscores), cases(500, 5_000));
    // An empty text is read as no cell at all.
    const texts = [...hostile, ...drawn].filter(
      (text) => text !== '' && (readsEscapes(reader) || !needsEscape.test(text)),
    );
    expect(texts.length).toBeGreaterThan(hostile.length);
    const [heading, ...rows] = await readSpreadsheet(reader, await write(`${reader}.xlsx`, texts));
    expect(heading).toEqual(['ad_unit', 'day', 'impressions', 'earnings']);
    expect(rows.map(([text]) => text)).toEqual(texts);
    expect(rows[0]?.slice(1)).toEqual([expect.stringMatching(/^2026-01-31/), 12_345, 0.100001]);
  });
});
