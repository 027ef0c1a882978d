import { Readable } from 'node:stream';
import yazl from 'yazl';
import { type Column, fixedParts, sheetPart } from './sheet.ts';

/**
 * A spreadsheet, written while it is sent. The libraries for whole workbooks either hold every row (and take
 * no back-pressure) or are kept by nobody; a sheet without formulas is a few lines of XML in a ZIP, so only
 * the ZIP is a library's.
 * @param rows lines of JSON arrays of texts, in the order of the columns.
 */
export function xlsxAnswer(columns: readonly Column[], rows: AsyncIterable<unknown>): Readable {
  const zip = new yazl.ZipFile();
  for (const [path, text] of Object.entries(fixedParts)) zip.addBuffer(Buffer.from(text), path);
  const sheet = Readable.from(sheetPart(columns, rows), { objectMode: true, highWaterMark: 2 });
  const output = zip.outputStream as Readable;
  // A ZIP that does not come to its end must break off: unheard, the error would end the process. The library
  // listens only when it is the sheet's turn, and says on then.
  const breakOff = (error: Error): void => void output.destroy(error);
  sheet.on('error', breakOff);
  zip.on('error', breakOff);
  output.once('close', () => sheet.destroy());
  zip.addReadStream(sheet, 'xl/worksheets/sheet1.xml');
  zip.end();
  return output;
}
