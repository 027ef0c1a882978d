import { Readable } from 'node:stream';
import type { Provenance } from '../report/provenance.ts';
import { type Column, fixedParts, sheetPart } from './sheet.ts';
import { sourceColumns, sourceRows } from './sources/sheet.ts';
import { zipOf } from './zip.ts';

/**
 * A spreadsheet, streamed. The libraries for whole workbooks either hold every row (and ignore backpressure) or
 * are unmaintained; a sheet without formulas is a few lines of XML in a ZIP, so only the ZIP is a library's.
 * @param rows lines of JSON arrays of texts, in the order of the columns.
 * @param provenance a second sheet; null: none.
 */
export function xlsxAnswer(
  columns: readonly Column[],
  rows: AsyncIterable<unknown>,
  provenance: Provenance | null = null,
): Readable {
  const sheets = [{ name: 'Report', columns, rows }];
  if (provenance !== null)
    sheets.push({ name: 'Sources', columns: sourceColumns, rows: Readable.from(sourceRows(provenance)) });
  const parts = sheets.map((sheet, at) => [
    `xl/worksheets/sheet${at + 1}.xml`,
    Readable.from(sheetPart(sheet.columns, sheet.rows, at === 0), { objectMode: true, highWaterMark: 2 }),
  ]);
  return zipOf(fixedParts(sheets.map(({ name }) => name)), Object.fromEntries(parts));
}
