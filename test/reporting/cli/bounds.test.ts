// tier: unit
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { peek } from '../../../engine/kit/command-line/file/peek.ts';
import { parseColumnRules } from '../../../reporting/cli/ad-stats/columns.ts';
import { openArchive } from '../../../reporting/cli/ad-stats/reading/archive.ts';
import { readSheet, readTextFile } from '../../../reporting/cli/ad-stats/reading/records.ts';
import { withinReason } from '../../../reporting/cli/ad-stats/reading/within-reason.ts';
import { openWorkbook } from '../../../reporting/cli/ad-stats/reading/xlsx.ts';
import { openInputs } from '../../../reporting/cli/ad-stats/spool.ts';
import { zipOf } from '../../support/zip-of.ts';

const MB = 1024 ** 2;
const columns = parseColumnRules([], []);

async function* repeated(chunk: Buffer, times: number): AsyncGenerator<Buffer> {
  for (let n = 0; n < times; n++) yield chunk;
}

describe('a file that was made to do harm', () => {
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'broadside-bounds-'));
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));
  const write = async (name: string, content: string | Buffer): Promise<string> => {
    await writeFile(join(folder, name), content);
    return join(folder, name);
  };

  it('unpacks no further than a report could', async () => {
    const chunk = Buffer.alloc(64 * MB);
    const reading = async (times: number, packed: number) => {
      let read = 0;
      for await (const piece of withinReason('a.gz', repeated(chunk, times), () => packed))
        read += piece.length;
      return read;
    };
    expect(await reading(16, 1)).toBe(1_024 * MB);
    expect(await reading(20, 10 * MB)).toBe(1_280 * MB);
    await expect(reading(20, MB)).rejects.toThrow(/more than 200 times as large/);
  });

  it('unpacks no further in all its parts together', async () => {
    const counted = { bytes: 0 };
    const part = () => withinReason('a.zip', repeated(Buffer.alloc(64 * MB), 10), () => MB, counted);
    for await (const _ of part());
    await expect(async () => {
      for await (const _ of part());
    }).rejects.toThrow('a.zip cannot be unpacked: it is more than 200 times as large');
    expect(counted.bytes).toBeLessThan(1_100 * MB);
  });

  it('is closed where its reader stops', async () => {
    let isClosed = false;
    async function* endless(): AsyncGenerator<Buffer> {
      try {
        for (;;) yield Buffer.from('a line\n');
      } finally {
        isClosed = true;
      }
    }
    const { bytes } = await peek(endless(), 100);
    for await (const _ of bytes) break;
    expect(isClosed).toBe(true);
  });

  it('is not an archive whose files share their bytes, nor an encrypted one, nor one that is cut', async () => {
    const whole = await zipOf({ 'a.csv': 'day\n2026-03-01\n', 'b.csv': 'day\n2026-03-02\n' });
    const central = whole.indexOf(Buffer.from('504b0102', 'hex'));
    const shared = Buffer.from(whole);
    shared.writeUInt32LE(0x00ff_ffff, central + 20);
    await expect(openArchive(await write('shared.zip', shared))).rejects.toThrow(/share their bytes/);
    const encrypted = Buffer.from(whole);
    encrypted.writeUInt16LE(encrypted.readUInt16LE(central + 8) | 1, central + 8);
    await expect(openInputs(await write('encrypted.zip', encrypted))).rejects.toThrow(/is encrypted/);
    await expect(openInputs(await write('cut.zip', whole.subarray(0, -30)))).rejects.toThrow(
      /cannot be unpacked/,
    );
    await expect(openInputs(await write('text.zip', 'day\n'))).rejects.toThrow(/cannot be unpacked/);
    await expect(openInputs(join(folder, 'none.zip'))).rejects.toThrow(/there is no file/);
    const flipped = Buffer.from(whole);
    const data = flipped.indexOf('a.csv') + 7;
    flipped[data] = (flipped[data] ?? 0) ^ 0xff;
    await expect(openInputs(await write('flipped.zip', flipped))).rejects.toThrow(/cannot be unpacked/);
  });

  it('holds a line of 100 MB no longer than it needs to count it', async () => {
    async function* bytes(): AsyncGenerator<Buffer> {
      yield Buffer.from('day,domain\n2026-03-01,');
      yield* repeated(Buffer.alloc(MB, 'x'), 100);
      yield Buffer.from('\n2026-03-02,b.example\n');
    }
    const before = process.memoryUsage().arrayBuffers;
    const file = readTextFile(bytes(), 'csv', { columns, encoding: 'utf-8', separator: null });
    const found = [];
    let most = 0;
    for await (const records of file) {
      found.push(...records);
      most = Math.max(most, process.memoryUsage().arrayBuffers - before);
    }
    expect(found).toMatchObject([{ line: 2, unreadable: 'is too long' }, { line: 3 }]);
    expect(most).toBeLessThan(64 * MB);
  });

  it('is not a spreadsheet whose tags, rows or columns never end', async () => {
    const sheet = async (rows: string) => {
      const parts = {
        'xl/workbook.xml': '<workbook><sheets><sheet name="A" r:id="rId1"/></sheets></workbook>',
        'xl/_rels/workbook.xml.rels':
          '<Relationships><Relationship Id="rId1" Target="worksheets/sheet1.xml"/></Relationships>',
        'xl/worksheets/sheet1.xml': `<worksheet><sheetData>${rows}</sheetData></worksheet>`,
      };
      const book = await openWorkbook(await write('a.xlsx', await zipOf(parts)));
      try {
        const found = [];
        for await (const records of readSheet(book.rows(null), { columns })) found.push(...records);
        return found;
      } finally {
        await book.close();
      }
    };
    const header = '<row r="1"><c t="str"><v>day</v></c><c t="str"><v>domain</v></c></row>';
    await expect(sheet(`${header}<row r="${'1'.repeat(4 * MB)}`)).rejects.toThrow(/a tag does not end/);
    await expect(sheet(`${header}<row><c r="ZZZ1"><v>1</v></c></row>`)).rejects.toThrow(
      /more than 2000 columns/,
    );
    const long = `<row><c t="str"><v>${'x'.repeat(2 * MB)}</v></c></row>`;
    expect(await sheet(`${header}${long}`)).toMatchObject([{ line: 2, unreadable: 'is too long' }]);
    const entities = `<!DOCTYPE a [<!ENTITY b "${'c'.repeat(1_000)}">]>`;
    expect(await sheet(`${entities}${header}<row><c t="str"><v>&b;</v></c></row>`)).toMatchObject([
      { value: ['&b;'] },
    ]);
    await expect(openWorkbook(await write('b.xlsx', await zipOf({ 'a.txt': 'x' })))).rejects.toThrow(
      /not a spreadsheet/,
    );
  });
});
