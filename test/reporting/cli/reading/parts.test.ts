// tier: unit
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { GivenReading } from '../../../../reporting/cli/ad-stats/options.ts';
import { withoutMarks } from '../../../../reporting/cli/ad-stats/reading/parts.ts';
import { readAdStats } from '../read-ad-stats.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'broadside-parts-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

async function read(content: string | Buffer, given: GivenReading = {}) {
  const path = join(folder, 'a.csv');
  await writeFile(path, content);
  return readAdStats(path, given);
}

describe('files that were put together', () => {
  const names = '"day","domain","impressions","earnings","currency"\r\n';
  const [october, november] = ['2026-10-31,a.example,10,1.5,EUR\r\n', '2026-11-01,a.example,20,2.5,EUR\r\n'];

  it('have their header, their mark and their totals again, and lines of separators alone', async () => {
    const parts = [`\ufeff${names}${october}Total,,10,1.5,EUR\r\n,,,,\r\n`, `\ufeff${names}${november}`];
    const filler = november.repeat(10);
    for (const content of [
      parts.join('') + filler,
      Buffer.from(`\ufeff${parts.join('')}${filler}`, 'utf16le'),
    ]) {
      const { rows, ...said } = await read(content);
      expect(rows).toHaveLength(12);
      expect(rows.map(({ unreadable }) => unreadable)).toEqual(Array(12).fill(undefined));
      expect(rows.slice(0, 2)).toMatchObject([
        { at: '2026-10-31', impressions: '10' },
        { row: '6', earnings: '2.5' },
      ]);
      expect(said).toMatchObject({ totals: ['Total,,10,1.5,EUR'], lines: { lines: 16, passedOver: 3 } });
    }
  });

  it('are refused where a part has other columns, which the first header would misname', async () => {
    const other =
      'Date,Site,Impressions,Revenue (EUR)\n2026-10-01,a.example,10,1.00\nDate,Site,Revenue (EUR),Impressions\n';
    await expect(read(`${other}2026-11-01,a.example,4.00,40\n`, { profile: 'adsense' })).rejects.toThrow(
      /line 3 is another header, with other columns/,
    );
    const german = other.replace(
      'Date,Site,Revenue (EUR),Impressions',
      'Datum,Website,Impressionen,Umsatz (EUR)',
    );
    expect((await read(german, { profile: 'adsense' })).rows).toHaveLength(1);
  });

  it('have the mark cut by the end of a chunk', async () => {
    const bytes = Buffer.from(`x\n\ufeffy\n\ufeffz\n`);
    for (let size = 1; size <= bytes.length; size++) {
      const chunks = Array.from({ length: Math.ceil(bytes.length / size) }, (_, n) =>
        bytes.subarray(n * size, (n + 1) * size),
      );
      const out: Buffer[] = [];
      for await (const piece of withoutMarks(Readable.from(chunks))) out.push(Buffer.from(piece));
      expect([size, Buffer.concat(out).toString()]).toEqual([size, 'x\ny\nz\n']);
    }
  });
});
