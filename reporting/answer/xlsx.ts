import { Readable } from 'node:stream';
import yazl from 'yazl';
import { type Column, fixedParts, sheetPart } from './sheet.ts';

/**
 * A spreadsheet, streamed. The libraries for whole workbooks either hold every row (and ignore backpressure) or
 * are unmaintained; a sheet without formulas is a few lines of XML in a ZIP, so only the ZIP is a library's.
 * @param rows lines of JSON arrays of texts, in the order of the columns.
 */
export function xlsxAnswer(columns: readonly Column[], rows: AsyncIterable<unknown>): Readable {
  const zip = new yazl.ZipFile();
  for (const [path, text] of Object.entries(fixedParts)) zip.addBuffer(Buffer.from(text), path);
  const sheet = Readable.from(sheetPart(columns, rows), { objectMode: true, highWaterMark: 2 });
  const output = zip.outputStream as Readable;
  // A ZIP that does not come to its end must break off: without a listener, the error would end the process.
  // The library listens only during the sheet's turn, and passes it on then.
  const breakOff = (error: Error): void => void output.destroy(error);
  sheet.on('error', breakOff);
  zip.on('error', breakOff);
  output.once('close', () => sheet.destroy());
  zip.addReadStream(sheet, 'xl/worksheets/sheet1.xml');
  zip.end();
  return output;
}
